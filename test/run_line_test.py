"""lit's shell test, for folders that hold other sources too. A module of its own: lit sends it to
other processes."""

import lit.formats


class RunLineTest(lit.formats.ShTest):
    """Takes a file as a test only if it says how it is run: folders have other sources too."""

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, local_config):
        for test in super().getTestsInDirectory(suite, path_in_suite, lit_config, local_config):
            with open(test.getSourcePath(), "rb") as source:
                if b"RUN:" in source.read():
                    yield test
