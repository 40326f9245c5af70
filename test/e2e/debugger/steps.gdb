# What someone does who looks for a fault in one work-item of a kernel.
set pagination off
set confirm off
break kernel.cpp:13 if i == 6
run
print i
print in.data_[i]
print in.size_
print khal::global_id()
print khal::local_id().x
next
print sum
next
print sum
delete
continue
