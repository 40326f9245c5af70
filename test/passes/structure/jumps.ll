; RUN: %khal-structure-test %s | FileCheck %s
; Jumps that structured control flow has no word for: gotos, and exits through several levels.

declare i1 @ask(i32)
declare void @do(i32)
declare void @much(i32)

; if (ask(0) && ask(1)) much(2 …); else much(3 …); do(4);
; Too much to copy: one scope, left early by the branch that doesn't want the rest of it.
; CHECK-LABEL: and_with_else {
; CHECK-NEXT:    code %entry
; CHECK-NEXT:    scope {
; CHECK-NEXT:      if %c {
; CHECK-NEXT:        code %rhs
; CHECK-NEXT:        if %d {
; CHECK-NEXT:          code %then
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:      }
; CHECK-NEXT:      code %else
; CHECK-NEXT:    }
; CHECK-NEXT:    code %after
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @and_with_else() {
entry:
  %c = call i1 @ask(i32 0)
  br i1 %c, label %rhs, label %else
rhs:
  %d = call i1 @ask(i32 1)
  br i1 %d, label %then, label %else
then:
  call void @much(i32 2)
  br label %after
else:
  call void @much(i32 3)
  call void @much(i32 3)
  call void @much(i32 3)
  call void @much(i32 3)
  call void @much(i32 3)
  call void @much(i32 3)
  call void @much(i32 3)
  br label %after
after:
  call void @do(i32 4) convergent
  ret void
}

; The same with a short else: it is done on both ways.
; CHECK-LABEL: and_with_short_else {
; CHECK-NEXT:    code %entry
; CHECK-NEXT:    if %c {
; CHECK-NEXT:      code %rhs
; CHECK-NEXT:      if %d {
; CHECK-NEXT:        code %then
; CHECK-NEXT:      }
; CHECK-NEXT:      else {
; CHECK-NEXT:        code %else
; CHECK-NEXT:      }
; CHECK-NEXT:    }
; CHECK-NEXT:    else {
; CHECK-NEXT:      code %else.copy
; CHECK-NEXT:    }
; CHECK-NEXT:    code %after
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @and_with_short_else() {
entry:
  %c = call i1 @ask(i32 0)
  br i1 %c, label %rhs, label %else
rhs:
  %d = call i1 @ask(i32 1)
  br i1 %d, label %then, label %else
then:
  call void @much(i32 2)
  br label %after
else:
  call void @do(i32 3)
  br label %after
after:
  call void @do(i32 4) convergent
  ret void
}

; A convergent call is never copied, however short.
; CHECK-LABEL: and_with_convergent_else {
; CHECK-NEXT:    code %entry
; CHECK-NEXT:    scope {
; CHECK-NEXT:      if %c {
; CHECK-NEXT:        code %rhs
; CHECK-NEXT:        if %d {
; CHECK-NEXT:          code %then
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:      }
; CHECK-NEXT:      code %else
; CHECK-NEXT:    }
; CHECK-NEXT:    code %after
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @and_with_convergent_else() {
entry:
  %c = call i1 @ask(i32 0)
  br i1 %c, label %rhs, label %else
rhs:
  %d = call i1 @ask(i32 1)
  br i1 %d, label %then, label %else
then:
  call void @much(i32 2)
  br label %after
else:
  call void @do(i32 3) convergent
  br label %after
after:
  call void @do(i32 4) convergent
  ret void
}

; for (…; ++i) { if (ask(0)) { if (ask(1)) continue; if (ask(2)) break; } do(3); }
; The increment is done where the continue is.
; CHECK-LABEL: continue_over_code {
; CHECK-NEXT:    phis %entry -> %head
; CHECK-NEXT:    loop %head {
; CHECK-NEXT:      code %head
; CHECK-NEXT:      if %c {
; CHECK-NEXT:        code %deep
; CHECK-NEXT:        if %d {
; CHECK-NEXT:          code %latch.copy
; CHECK-NEXT:          if %more.copy {
; CHECK-NEXT:            phis %latch.copy -> %head
; CHECK-NEXT:            continue
; CHECK-NEXT:          }
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:        code %deeper
; CHECK-NEXT:        if %e {
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:      }
; CHECK-NEXT:      code %rest
; CHECK-NEXT:      if %more {
; CHECK-NEXT:      }
; CHECK-NEXT:      else {
; CHECK-NEXT:        break
; CHECK-NEXT:      }
; CHECK-NEXT:      phis %rest -> %head
; CHECK-NEXT:    }
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @continue_over_code(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c = call i1 @ask(i32 %i)
  br i1 %c, label %deep, label %rest
deep:
  %d = call i1 @ask(i32 1)
  br i1 %d, label %latch, label %deeper
deeper:
  %e = call i1 @ask(i32 2)
  br i1 %e, label %exit, label %rest
rest:
  call void @do(i32 3) convergent
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %head, label %exit
exit:
  ret void
}

; for (…) for (…) if (ask(2)) goto done;  much(…);  done: do(5);
; CHECK-LABEL: break_two_loops {
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
; CHECK-NEXT:          flag0 := 1
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:      }
; CHECK-NEXT:      if flag0 == 1 {
; CHECK-NEXT:        break
; CHECK-NEXT:      }
; CHECK-NEXT:      code %latch
; CHECK-NEXT:    }
; CHECK-NEXT:    if flag0 == 0 {
; CHECK-NEXT:      code %after
; CHECK-NEXT:    }
; CHECK-NEXT:    code %done
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @break_two_loops() {
entry:
  br label %outer
outer:
  %c = call i1 @ask(i32 0)
  br i1 %c, label %inner, label %after
inner:
  %d = call i1 @ask(i32 1)
  br i1 %d, label %body, label %latch
body:
  %e = call i1 @ask(i32 2)
  br i1 %e, label %done, label %inner
latch:
  call void @do(i32 3)
  br label %outer
after:
  call void @do(i32 4) convergent
  br label %done
done:
  call void @do(i32 5)
  ret void
}

; Three ways out of two loops: after the inner one, the outer one's next round, after both.
; The flag is reset whenever the inner loop is entered again.
; CHECK-LABEL: three_ways_out {
; CHECK-NEXT:    loop %outer {
; CHECK-NEXT:      code %outer
; CHECK-NEXT:      if %c {
; CHECK-NEXT:      }
; CHECK-NEXT:      else {
; CHECK-NEXT:        code %exit
; CHECK-NEXT:        break
; CHECK-NEXT:      }
; CHECK-NEXT:      code %pre
; CHECK-NEXT:      flag0 := 0
; CHECK-NEXT:      loop %inner {
; CHECK-NEXT:        code %inner
; CHECK-NEXT:        if %d {
; CHECK-NEXT:        }
; CHECK-NEXT:        else {
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:        code %one
; CHECK-NEXT:        if %e {
; CHECK-NEXT:          flag0 := 1
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:        code %two
; CHECK-NEXT:        if %f {
; CHECK-NEXT:          flag0 := 2
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:      }
; CHECK-NEXT:      if flag0 == 1 {
; CHECK-NEXT:        continue
; CHECK-NEXT:      }
; CHECK-NEXT:      if flag0 == 2 {
; CHECK-NEXT:        break
; CHECK-NEXT:      }
; CHECK-NEXT:      code %done
; CHECK-NEXT:    }
; CHECK-NEXT:    code %late
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @three_ways_out() {
entry:
  br label %outer
outer:
  %c = call i1 @ask(i32 0)
  br i1 %c, label %pre, label %exit
pre:
  call void @do(i32 1)
  br label %inner
inner:
  %d = call i1 @ask(i32 2)
  br i1 %d, label %one, label %done
one:
  %e = call i1 @ask(i32 3)
  br i1 %e, label %outer, label %two
two:
  %f = call i1 @ask(i32 4)
  br i1 %f, label %late, label %inner
done:
  call void @do(i32 5)
  br label %outer
exit:
  call void @do(i32 6)
  br label %late
late:
  call void @do(i32 7)
  ret void
}

; if (ask(0)) goto out; for (…) if (ask(2)) goto out; much(3); out: much(4 …);
; CHECK-LABEL: goto_cleanup {
; CHECK-NEXT:    code %entry
; CHECK-NEXT:    if %c {
; CHECK-NEXT:    }
; CHECK-NEXT:    else {
; CHECK-NEXT:      loop %head {
; CHECK-NEXT:        code %head
; CHECK-NEXT:        if %d {
; CHECK-NEXT:        }
; CHECK-NEXT:        else {
; CHECK-NEXT:          code %after
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:        code %body
; CHECK-NEXT:        if %e {
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:      }
; CHECK-NEXT:    }
; CHECK-NEXT:    code %out
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @goto_cleanup() {
entry:
  %c = call i1 @ask(i32 0)
  br i1 %c, label %out, label %head
head:
  %d = call i1 @ask(i32 1)
  br i1 %d, label %body, label %after
body:
  %e = call i1 @ask(i32 2)
  br i1 %e, label %out, label %head
after:
  call void @much(i32 3)
  br label %out
out:
  call void @much(i32 4)
  ret void
}

; switch (v) { case 0: do(0); case 1: much(1 …); break; case 2: do(2); break; default: } do(9);
; CHECK-LABEL: fall_through {
; CHECK-NEXT:    scope {
; CHECK-NEXT:      switch %v {
; CHECK-NEXT:        default {
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:        case 0 {
; CHECK-NEXT:          code %zero
; CHECK-NEXT:        }
; CHECK-NEXT:        case 1 {
; CHECK-NEXT:        }
; CHECK-NEXT:        case 2 {
; CHECK-NEXT:          code %two
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:      }
; CHECK-NEXT:      code %one
; CHECK-NEXT:    }
; CHECK-NEXT:    code %after
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @fall_through(i32 %v) {
entry:
  switch i32 %v, label %after [ i32 0, label %zero
                                i32 1, label %one
                                i32 2, label %two ]
zero:
  call void @do(i32 0)
  br label %one
one:
  call void @much(i32 1)
  call void @much(i32 1)
  call void @much(i32 1)
  call void @much(i32 1)
  call void @much(i32 1)
  call void @much(i32 1)
  call void @much(i32 1)
  br label %after
two:
  call void @do(i32 2)
  br label %after
after:
  call void @do(i32 9) convergent
  ret void
}

; Every case falls into the next, the default is in the middle: a flag says where to begin.
; CHECK-LABEL: fall_through_all {
; CHECK-NEXT:    switch %v {
; CHECK-NEXT:      default {
; CHECK-NEXT:        flag0 := 1
; CHECK-NEXT:      }
; CHECK-NEXT:      case 0 {
; CHECK-NEXT:        code %zero
; CHECK-NEXT:      }
; CHECK-NEXT:      case 1 {
; CHECK-NEXT:      }
; CHECK-NEXT:      case 2 {
; CHECK-NEXT:        flag0 := 2
; CHECK-NEXT:      }
; CHECK-NEXT:    }
; CHECK-NEXT:    if flag0 == 0 {
; CHECK-NEXT:      code %one
; CHECK-NEXT:      flag0 := 1
; CHECK-NEXT:    }
; CHECK-NEXT:    if flag0 == 1 {
; CHECK-NEXT:      code %other
; CHECK-NEXT:    }
; CHECK-NEXT:    code %two
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @fall_through_all(i32 %v) {
entry:
  switch i32 %v, label %other [ i32 0, label %zero
                                i32 1, label %one
                                i32 2, label %two ]
zero:
  call void @do(i32 0) convergent
  br label %one
one:
  call void @do(i32 1) convergent
  br label %other
other:
  call void @do(i32 9) convergent
  br label %two
two:
  call void @do(i32 2) convergent
  ret void
}

; switch (v) { case 0: do(0); if (ask(1)) break; do(2); break; default: do(3); } do(4);
; CHECK-LABEL: break_in_case {
; CHECK-NEXT:    switch %v {
; CHECK-NEXT:      default {
; CHECK-NEXT:        code %other
; CHECK-NEXT:      }
; CHECK-NEXT:      case 0, 1 {
; CHECK-NEXT:        code %zero
; CHECK-NEXT:        if %c {
; CHECK-NEXT:        }
; CHECK-NEXT:        else {
; CHECK-NEXT:          code %rest
; CHECK-NEXT:        }
; CHECK-NEXT:      }
; CHECK-NEXT:    }
; CHECK-NEXT:    code %after
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @break_in_case(i32 %v) {
entry:
  switch i32 %v, label %other [ i32 0, label %zero
                                i32 1, label %zero ]
zero:
  call void @do(i32 0)
  %c = call i1 @ask(i32 1)
  br i1 %c, label %after, label %rest
rest:
  call void @do(i32 2)
  br label %after
other:
  call void @do(i32 3)
  br label %after
after:
  call void @do(i32 4)
  ret void
}
