; RUN: %khal-structure-test %s | FileCheck %s
; Which code goes after a loop, and which stays at the jump that leads to it.

declare i1 @ask(i32)
declare void @do(i32)
declare void @barrier() convergent
declare i32 @reduce(i32) convergent

; A search function, inlined: `for (…) if (ask(i)) goto found;  for (…) do(3);  found: do(4);`
; The second loop is no part of the first one's last round.
; CHECK-LABEL: search {
; CHECK-NEXT:    phis %entry -> %head
; CHECK-NEXT:    loop %head {
; CHECK-NEXT:      code %head
; CHECK-NEXT:      if %c {
; CHECK-NEXT:      }
; CHECK-NEXT:      else {
; CHECK-NEXT:        break
; CHECK-NEXT:      }
; CHECK-NEXT:      code %body
; CHECK-NEXT:      if %d {
; CHECK-NEXT:        flag0 := 1
; CHECK-NEXT:        break
; CHECK-NEXT:      }
; CHECK-NEXT:      phis %body -> %head
; CHECK-NEXT:    }
; CHECK-NEXT:    if flag0 == 0 {
; CHECK-NEXT:      loop %rest {
; CHECK-NEXT:        code %rest
; CHECK-NEXT:        if %e {
; CHECK-NEXT:        }
; CHECK-NEXT:        else {
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:      }
; CHECK-NEXT:    }
; CHECK-NEXT:    code %found
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @search(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %next = add i32 %i, 1
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %rest
body:
  %d = call i1 @ask(i32 %i)
  br i1 %d, label %found, label %head
rest:
  call void @do(i32 3)
  %e = call i1 @ask(i32 2)
  br i1 %e, label %rest, label %found
found:
  call void @do(i32 4)
  ret void
}

; The same with little to do after the first loop: not worth a flag.
; CHECK-LABEL: search_rotated {
; CHECK-NEXT:    phis %entry -> %head
; CHECK-NEXT:    loop %head {
; CHECK-NEXT:      code %head
; CHECK-NEXT:      if %d {
; CHECK-NEXT:        break
; CHECK-NEXT:      }
; CHECK-NEXT:      code %latch
; CHECK-NEXT:      if %c {
; CHECK-NEXT:      }
; CHECK-NEXT:      else {
; CHECK-NEXT:        code %rest
; CHECK-NEXT:        break
; CHECK-NEXT:      }
; CHECK-NEXT:      phis %latch -> %head
; CHECK-NEXT:    }
; CHECK-NEXT:    code %found
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @search_rotated(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %d = call i1 @ask(i32 %i)
  br i1 %d, label %found, label %latch
latch:
  %next = add i32 %i, 1
  %c = icmp slt i32 %next, %n
  br i1 %c, label %head, label %rest
rest:
  call void @do(i32 3)
  br label %found
found:
  call void @do(i32 4)
  ret void
}

; if (ask(1)) { x = reduce(2); break; }: those who leave the loop together reduce together.
; CHECK-LABEL: subgroup_call_before_break {
; CHECK-NEXT:    phis %entry -> %head
; CHECK-NEXT:    loop %head {
; CHECK-NEXT:      code %head
; CHECK-NEXT:      if %c {
; CHECK-NEXT:      }
; CHECK-NEXT:      else {
; CHECK-NEXT:        phis %head -> %after
; CHECK-NEXT:        break
; CHECK-NEXT:      }
; CHECK-NEXT:      code %body
; CHECK-NEXT:      if %d {
; CHECK-NEXT:        code %leave
; CHECK-NEXT:        phis %leave -> %after
; CHECK-NEXT:        break
; CHECK-NEXT:      }
; CHECK-NEXT:      phis %body -> %head
; CHECK-NEXT:    }
; CHECK-NEXT:    code %after
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @subgroup_call_before_break(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %next = add i32 %i, 1
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %after
body:
  %d = call i1 @ask(i32 1)
  br i1 %d, label %leave, label %head
leave:
  %x = call i32 @reduce(i32 2)
  br label %after
after:
  %y = phi i32 [ 0, %head ], [ %x, %leave ]
  call void @do(i32 %y)
  ret void
}

; A barrier waits for all, in whichever round they left.
; CHECK-LABEL: barrier_before_break {
; CHECK-NEXT:    phis %entry -> %head
; CHECK-NEXT:    loop %head {
; CHECK-NEXT:      code %head
; CHECK-NEXT:      if %c {
; CHECK-NEXT:      }
; CHECK-NEXT:      else {
; CHECK-NEXT:        flag0 := 1
; CHECK-NEXT:        break
; CHECK-NEXT:      }
; CHECK-NEXT:      code %body
; CHECK-NEXT:      if %d {
; CHECK-NEXT:        break
; CHECK-NEXT:      }
; CHECK-NEXT:      phis %body -> %head
; CHECK-NEXT:    }
; CHECK-NEXT:    if flag0 == 0 {
; CHECK-NEXT:      code %leave
; CHECK-NEXT:    }
; CHECK-NEXT:    code %after
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @barrier_before_break(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %next = add i32 %i, 1
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %after
body:
  %d = call i1 @ask(i32 1)
  br i1 %d, label %leave, label %head
leave:
  call void @barrier()
  br label %after
after:
  call void @do(i32 2)
  ret void
}

; Two ways out that never meet: what follows the loop's own end is outside.
; CHECK-LABEL: two_ends {
; CHECK-NEXT:    phis %entry -> %head
; CHECK-NEXT:    loop %head {
; CHECK-NEXT:      code %head
; CHECK-NEXT:      if %c {
; CHECK-NEXT:      }
; CHECK-NEXT:      else {
; CHECK-NEXT:        break
; CHECK-NEXT:      }
; CHECK-NEXT:      code %body
; CHECK-NEXT:      if %d {
; CHECK-NEXT:        code %found
; CHECK-NEXT:        return
; CHECK-NEXT:      }
; CHECK-NEXT:      phis %body -> %head
; CHECK-NEXT:    }
; CHECK-NEXT:    code %after
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @two_ends(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %next = add i32 %i, 1
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %after
body:
  %d = call i1 @ask(i32 1)
  br i1 %d, label %found, label %head
found:
  call void @do(i32 2)
  ret void
after:
  call void @do(i32 3)
  call void @do(i32 4)
  ret void
}

; What follows the inner loop can also be reached from a break that goes on, in the outer loop, to
; another place inside the inner one: that place moves out as well.
; CHECK-LABEL: moved_out_with_its_source {
; CHECK-NEXT:    loop %outer {
; CHECK-NEXT:      code %outer
; CHECK-NEXT:      if %o {
; CHECK-NEXT:      }
; CHECK-NEXT:      else {
; CHECK-NEXT:        break
; CHECK-NEXT:      }
; CHECK-NEXT:      phis %outer -> %inner
; CHECK-NEXT:      flag0 := 0
; CHECK-NEXT:      loop %inner {
; CHECK-NEXT:        code %inner
; CHECK-NEXT:        if %d {
; CHECK-NEXT:          flag0 := 1
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:        code %latch
; CHECK-NEXT:        if %c {
; CHECK-NEXT:        }
; CHECK-NEXT:        else {
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:        phis %latch -> %inner
; CHECK-NEXT:      }
; CHECK-NEXT:      if flag0 == 0 {
; CHECK-NEXT:        loop %long {
; CHECK-NEXT:          code %long
; CHECK-NEXT:          if %e {
; CHECK-NEXT:          }
; CHECK-NEXT:          else {
; CHECK-NEXT:            break
; CHECK-NEXT:          }
; CHECK-NEXT:        }
; CHECK-NEXT:        code %choose
; CHECK-NEXT:        if %f {
; CHECK-NEXT:        }
; CHECK-NEXT:        else {
; CHECK-NEXT:          continue
; CHECK-NEXT:        }
; CHECK-NEXT:      }
; CHECK-NEXT:      code %meet
; CHECK-NEXT:      if %g {
; CHECK-NEXT:        break
; CHECK-NEXT:      }
; CHECK-NEXT:    }
; CHECK-NEXT:    code %exit
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @moved_out_with_its_source(i32 %n) {
entry:
  br label %outer
outer:
  %o = call i1 @ask(i32 0)
  br i1 %o, label %inner, label %exit
inner:
  %i = phi i32 [ 0, %outer ], [ %next, %latch ]
  %d = call i1 @ask(i32 1)
  br i1 %d, label %meet, label %latch
latch:
  %next = add i32 %i, 1
  %c = icmp slt i32 %next, %n
  br i1 %c, label %inner, label %long
long:
  call void @do(i32 2)
  %e = call i1 @ask(i32 2)
  br i1 %e, label %long, label %choose
choose:
  %f = call i1 @ask(i32 3)
  br i1 %f, label %meet, label %outer
meet:
  call void @do(i32 5)
  %g = call i1 @ask(i32 4)
  br i1 %g, label %exit, label %outer
exit:
  call void @do(i32 6)
  ret void
}
