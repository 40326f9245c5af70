# The devices that execution tests run on, as KHAL_DEVICE takes them. A device that isn't there makes
# its tests fail: leave it out on machines without it.
set(KHAL_TEST_DEVICES cpu vulkan CACHE STRING "Devices for execution tests")
