; RUN: %khal-structure-test %s | FileCheck %s --implicit-check-not=scope --implicit-check-not=flag
; What is structured stays so: no scopes and no flags in this file.

declare i1 @ask(i32)
declare void @do(i32)

; if (ask(0)) do(1); else do(2); do(3);
; CHECK-LABEL: if_else {
; CHECK-NEXT:    code %entry
; CHECK-NEXT:    if %c {
; CHECK-NEXT:      code %then
; CHECK-NEXT:    }
; CHECK-NEXT:    else {
; CHECK-NEXT:      code %else
; CHECK-NEXT:    }
; CHECK-NEXT:    code %after
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @if_else() {
entry:
  %c = call i1 @ask(i32 0)
  br i1 %c, label %then, label %else
then:
  call void @do(i32 1)
  br label %after
else:
  call void @do(i32 2)
  br label %after
after:
  call void @do(i32 3)
  ret void
}

; if (ask(0)) return; do(1);
; CHECK-LABEL: early_return {
; CHECK-NEXT:    code %entry
; CHECK-NEXT:    if %c {
; CHECK-NEXT:      return
; CHECK-NEXT:    }
; CHECK-NEXT:    code %rest
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @early_return() {
entry:
  %c = call i1 @ask(i32 0)
  br i1 %c, label %exit, label %rest
rest:
  call void @do(i32 1)
  br label %exit
exit:
  ret void
}

; if (ask(0) && ask(1)) do(2); do(3);
; CHECK-LABEL: and_without_else {
; CHECK-NEXT:    code %entry
; CHECK-NEXT:    if %c {
; CHECK-NEXT:      code %rhs
; CHECK-NEXT:      if %d {
; CHECK-NEXT:        code %then
; CHECK-NEXT:      }
; CHECK-NEXT:    }
; CHECK-NEXT:    code %after
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @and_without_else() {
entry:
  %c = call i1 @ask(i32 0)
  br i1 %c, label %rhs, label %after
rhs:
  %d = call i1 @ask(i32 1)
  br i1 %d, label %then, label %after
then:
  call void @do(i32 2)
  br label %after
after:
  call void @do(i32 3)
  ret void
}

; for (i = 0; i < n; ++i) { if (ask(i)) do(i); }  do(-1);
; CHECK-LABEL: counted {
; CHECK-NEXT:    phis %entry -> %head
; CHECK-NEXT:    loop %head {
; CHECK-NEXT:      code %head
; CHECK-NEXT:      if %more {
; CHECK-NEXT:      }
; CHECK-NEXT:      else {
; CHECK-NEXT:        break
; CHECK-NEXT:      }
; CHECK-NEXT:      code %body
; CHECK-NEXT:      if %c {
; CHECK-NEXT:        code %then
; CHECK-NEXT:      }
; CHECK-NEXT:      code %latch
; CHECK-NEXT:      phis %latch -> %head
; CHECK-NEXT:    }
; CHECK-NEXT:    code %after
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @counted(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %after
body:
  %c = call i1 @ask(i32 %i)
  br i1 %c, label %then, label %latch
then:
  call void @do(i32 %i)
  br label %latch
latch:
  %next = add i32 %i, 1
  br label %head
after:
  call void @do(i32 -1)
  ret void
}

; The same, rotated, with a guard.
; CHECK-LABEL: rotated {
; CHECK-NEXT:    code %entry
; CHECK-NEXT:    if %any {
; CHECK-NEXT:      phis %entry -> %loop
; CHECK-NEXT:      loop %loop {
; CHECK-NEXT:        code %loop
; CHECK-NEXT:        if %c {
; CHECK-NEXT:          code %then
; CHECK-NEXT:        }
; CHECK-NEXT:        code %latch
; CHECK-NEXT:        if %more {
; CHECK-NEXT:        }
; CHECK-NEXT:        else {
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:        phis %latch -> %loop
; CHECK-NEXT:      }
; CHECK-NEXT:    }
; CHECK-NEXT:    code %after
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @rotated(i32 %n) {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %after
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c = call i1 @ask(i32 %i)
  br i1 %c, label %then, label %latch
then:
  call void @do(i32 %i)
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %after
after:
  call void @do(i32 -1)
  ret void
}

; for (;;) { if (!ask(0)) break; if (ask(1)) { do(2); break; } do(3); }  do(4);
; CHECK-LABEL: break_with_code {
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
; CHECK-NEXT:        break
; CHECK-NEXT:      }
; CHECK-NEXT:      code %latch
; CHECK-NEXT:    }
; CHECK-NEXT:    code %after
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @break_with_code() {
entry:
  br label %head
head:
  %c = call i1 @ask(i32 0)
  br i1 %c, label %body, label %after
body:
  %d = call i1 @ask(i32 1)
  br i1 %d, label %found, label %latch
found:
  call void @do(i32 2)
  br label %after
latch:
  call void @do(i32 3)
  br label %head
after:
  call void @do(i32 4)
  ret void
}

; do { do(0); } while (ask(1));
; CHECK-LABEL: do_while {
; CHECK-NEXT:    loop %loop {
; CHECK-NEXT:      code %loop
; CHECK-NEXT:      if %c {
; CHECK-NEXT:      }
; CHECK-NEXT:      else {
; CHECK-NEXT:        break
; CHECK-NEXT:      }
; CHECK-NEXT:    }
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @do_while() {
entry:
  br label %loop
loop:
  call void @do(i32 0)
  %c = call i1 @ask(i32 1)
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; while (ask(0)) { if (ask(1)) return; do(2); }  do(3);
; CHECK-LABEL: return_in_loop {
; CHECK-NEXT:    loop %head {
; CHECK-NEXT:      code %head
; CHECK-NEXT:      if %c {
; CHECK-NEXT:      }
; CHECK-NEXT:      else {
; CHECK-NEXT:        break
; CHECK-NEXT:      }
; CHECK-NEXT:      code %body
; CHECK-NEXT:      if %d {
; CHECK-NEXT:        return
; CHECK-NEXT:      }
; CHECK-NEXT:      code %latch
; CHECK-NEXT:    }
; CHECK-NEXT:    code %after
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @return_in_loop() {
entry:
  br label %head
head:
  %c = call i1 @ask(i32 0)
  br i1 %c, label %body, label %after
body:
  %d = call i1 @ask(i32 1)
  br i1 %d, label %exit, label %latch
latch:
  call void @do(i32 2)
  br label %head
after:
  call void @do(i32 3)
  br label %exit
exit:
  ret void
}

; while (ask(0)) { while (ask(1)) { if (ask(2)) break; do(3); } do(4); }
; CHECK-LABEL: nested {
; CHECK-NEXT:    loop %outer {
; CHECK-NEXT:      code %outer
; CHECK-NEXT:      if %c {
; CHECK-NEXT:      }
; CHECK-NEXT:      else {
; CHECK-NEXT:        break
; CHECK-NEXT:      }
; CHECK-NEXT:      loop %inner {
; CHECK-NEXT:        code %inner
; CHECK-NEXT:        if %d {
; CHECK-NEXT:        }
; CHECK-NEXT:        else {
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:        code %body
; CHECK-NEXT:        if %e {
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:        code %latch
; CHECK-NEXT:      }
; CHECK-NEXT:      code %done
; CHECK-NEXT:    }
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @nested() {
entry:
  br label %outer
outer:
  %c = call i1 @ask(i32 0)
  br i1 %c, label %inner, label %exit
inner:
  %d = call i1 @ask(i32 1)
  br i1 %d, label %body, label %done
body:
  %e = call i1 @ask(i32 2)
  br i1 %e, label %done, label %latch
latch:
  call void @do(i32 3)
  br label %inner
done:
  call void @do(i32 4)
  br label %outer
exit:
  ret void
}

; while (ask(0)) { if (ask(1)) { do(2); if (ask(3)) continue; if (ask(4)) break; do(5); } do(6); }
; CHECK-LABEL: continue_and_break_at_depth {
; CHECK-NEXT:    loop %head {
; CHECK-NEXT:      code %head
; CHECK-NEXT:      if %c {
; CHECK-NEXT:      }
; CHECK-NEXT:      else {
; CHECK-NEXT:        break
; CHECK-NEXT:      }
; CHECK-NEXT:      code %body
; CHECK-NEXT:      if %d {
; CHECK-NEXT:        code %deep
; CHECK-NEXT:        if %e {
; CHECK-NEXT:          continue
; CHECK-NEXT:        }
; CHECK-NEXT:        code %deeper
; CHECK-NEXT:        if %f {
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:        code %deepest
; CHECK-NEXT:      }
; CHECK-NEXT:      code %rest
; CHECK-NEXT:    }
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @continue_and_break_at_depth() {
entry:
  br label %head
head:
  %c = call i1 @ask(i32 0)
  br i1 %c, label %body, label %exit
body:
  %d = call i1 @ask(i32 1)
  br i1 %d, label %deep, label %rest
deep:
  call void @do(i32 2)
  %e = call i1 @ask(i32 3)
  br i1 %e, label %head, label %deeper
deeper:
  %f = call i1 @ask(i32 4)
  br i1 %f, label %exit, label %deepest
deepest:
  call void @do(i32 5)
  br label %rest
rest:
  call void @do(i32 6)
  br label %head
exit:
  ret void
}

; switch (v) { case 0: do(0); break; case 1: case 2: do(1); break; default: do(9); } do(10);
; CHECK-LABEL: switch_with_breaks {
; CHECK-NEXT:    switch %v {
; CHECK-NEXT:      default {
; CHECK-NEXT:        code %other
; CHECK-NEXT:      }
; CHECK-NEXT:      case 0 {
; CHECK-NEXT:        code %zero
; CHECK-NEXT:      }
; CHECK-NEXT:      case 1, 2 {
; CHECK-NEXT:        code %few
; CHECK-NEXT:      }
; CHECK-NEXT:    }
; CHECK-NEXT:    code %after
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @switch_with_breaks(i32 %v) {
entry:
  switch i32 %v, label %other [ i32 0, label %zero
                                i32 1, label %few
                                i32 2, label %few ]
zero:
  call void @do(i32 0)
  br label %after
few:
  call void @do(i32 1)
  br label %after
other:
  call void @do(i32 9)
  br label %after
after:
  call void @do(i32 10)
  ret void
}

; for (;;) { switch (v) { case 0: continue; case 1: do(1); break; default: return; } do(2); }
; CHECK-LABEL: switch_in_loop {
; CHECK-NEXT:    loop %head {
; CHECK-NEXT:      switch %v {
; CHECK-NEXT:        default {
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:        case 0 {
; CHECK-NEXT:        }
; CHECK-NEXT:        case 1 {
; CHECK-NEXT:          code %one
; CHECK-NEXT:        }
; CHECK-NEXT:      }
; CHECK-NEXT:    }
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @switch_in_loop(i32 %v) {
entry:
  br label %head
head:
  switch i32 %v, label %exit [ i32 0, label %head
                               i32 1, label %one ]
one:
  call void @do(i32 1)
  br label %head
exit:
  ret void
}

; for (;;) do(0);
; CHECK-LABEL: endless {
; CHECK-NEXT:    loop %head {
; CHECK-NEXT:      code %head
; CHECK-NEXT:    }
; CHECK-NEXT:    unreachable
; CHECK-NEXT:  }
define void @endless() {
entry:
  br label %head
head:
  call void @do(i32 0)
  br label %head
}

; if (ask(0)) for (;;) { do(1); if (ask(2)) { do(3); break; } }  do(4);
; CHECK-LABEL: endless_with_exit {
; CHECK-NEXT:    code %entry
; CHECK-NEXT:    if %c {
; CHECK-NEXT:      loop %head {
; CHECK-NEXT:        code %head
; CHECK-NEXT:        if %d {
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:      }
; CHECK-NEXT:      code %found
; CHECK-NEXT:    }
; CHECK-NEXT:    code %after
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @endless_with_exit() {
entry:
  %c = call i1 @ask(i32 0)
  br i1 %c, label %head, label %after
head:
  call void @do(i32 1)
  %d = call i1 @ask(i32 2)
  br i1 %d, label %found, label %head
found:
  call void @do(i32 3)
  br label %after
after:
  call void @do(i32 4)
  ret void
}

; if (ask(0)) __builtin_unreachable(); do(1);
; CHECK-LABEL: unreachable {
; CHECK-NEXT:    code %entry
; CHECK-NEXT:    if %c {
; CHECK-NEXT:      code %never
; CHECK-NEXT:      unreachable
; CHECK-NEXT:    }
; CHECK-NEXT:    code %rest
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @unreachable() {
entry:
  %c = call i1 @ask(i32 0)
  br i1 %c, label %never, label %rest
never:
  call void @do(i32 7)
  unreachable
rest:
  call void @do(i32 1)
  ret void
}

; Nothing at all.
; CHECK-LABEL: empty {
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @empty() {
  ret void
}

; A switch on a bool is an if; a default that can't happen says so.
; CHECK-LABEL: odd_switches {
; CHECK-NEXT:    code %entry
; CHECK-NEXT:    if %c {
; CHECK-NEXT:      code %yes
; CHECK-NEXT:    }
; CHECK-NEXT:    else {
; CHECK-NEXT:      code %no
; CHECK-NEXT:    }
; CHECK-NEXT:    switch %v {
; CHECK-NEXT:      default {
; CHECK-NEXT:        unreachable
; CHECK-NEXT:      }
; CHECK-NEXT:      case 0 {
; CHECK-NEXT:      }
; CHECK-NEXT:      case 1 {
; CHECK-NEXT:        code %one
; CHECK-NEXT:      }
; CHECK-NEXT:      case 7 {
; CHECK-NEXT:        code %seven
; CHECK-NEXT:      }
; CHECK-NEXT:    }
; CHECK-NEXT:    code %end
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @odd_switches(i32 %v) {
entry:
  %c = call i1 @ask(i32 0)
  switch i1 %c, label %never [ i1 false, label %no
                               i1 true, label %yes ]
no:
  call void @do(i32 1)
  br label %after
yes:
  call void @do(i32 2)
  br label %after
after:
  switch i32 %v, label %never [ i32 0, label %end
                                i32 1, label %one
                                i32 7, label %seven ]
one:
  call void @do(i32 3)
  br label %end
seven:
  call void @do(i32 4)
  br label %end
end:
  call void @do(i32 5)
  ret void
never:
  unreachable
}
