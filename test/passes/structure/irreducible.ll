; RUN: %khal-structure-test %s | FileCheck %s
; Cycles with several entries get a block that all ways in pass through.

declare i1 @ask(i32)
declare void @do(i32)

; if (ask(0)) goto middle; while (ask(1)) { do(2); middle: do(3); }
; CHECK-LABEL: two_entries {
; CHECK-NEXT:    code %entry
; CHECK-NEXT:    if %c {
; CHECK-NEXT:      phis %entry.to.middle -> %dispatch
; CHECK-NEXT:    }
; CHECK-NEXT:    else {
; CHECK-NEXT:      phis %entry -> %dispatch
; CHECK-NEXT:    }
; CHECK-NEXT:    loop %dispatch {
; CHECK-NEXT:      code %dispatch
; CHECK-NEXT:      if %0 {
; CHECK-NEXT:        code %head
; CHECK-NEXT:        if %d {
; CHECK-NEXT:        }
; CHECK-NEXT:        else {
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:        code %body
; CHECK-NEXT:        phis %body -> %dispatch
; CHECK-NEXT:      }
; CHECK-NEXT:      else {
; CHECK-NEXT:        code %middle
; CHECK-NEXT:        phis %middle -> %dispatch
; CHECK-NEXT:      }
; CHECK-NEXT:    }
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @two_entries() {
entry:
  %c = call i1 @ask(i32 0)
  br i1 %c, label %middle, label %head
head:
  %d = call i1 @ask(i32 1)
  br i1 %d, label %body, label %exit
body:
  call void @do(i32 2)
  br label %middle
middle:
  call void @do(i32 3)
  br label %head
exit:
  ret void
}

; Values reach the entry that they are meant for.
; CHECK-LABEL: values {
; CHECK-NEXT:    code %entry
; CHECK-NEXT:    if %c {
; CHECK-NEXT:      phis %entry -> %dispatch
; CHECK-NEXT:    }
; CHECK-NEXT:    else {
; CHECK-NEXT:      phis %entry.to.b -> %dispatch
; CHECK-NEXT:    }
; CHECK-NEXT:    loop %dispatch {
; CHECK-NEXT:      code %dispatch
; CHECK-NEXT:      if %0 {
; CHECK-NEXT:        code %b
; CHECK-NEXT:        if %d {
; CHECK-NEXT:        }
; CHECK-NEXT:        else {
; CHECK-NEXT:          phis %b -> %exit
; CHECK-NEXT:          break
; CHECK-NEXT:        }
; CHECK-NEXT:        phis %b -> %dispatch
; CHECK-NEXT:      }
; CHECK-NEXT:      else {
; CHECK-NEXT:        code %a
; CHECK-NEXT:        phis %a -> %dispatch
; CHECK-NEXT:      }
; CHECK-NEXT:    }
; CHECK-NEXT:    code %exit
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @values(i32 %n) {
entry:
  %c = call i1 @ask(i32 0)
  br i1 %c, label %a, label %b
a:
  %x = phi i32 [ 10, %entry ], [ %y1, %b ]
  %x1 = add i32 %x, 1
  call void @do(i32 %x1)
  br label %b
b:
  %y = phi i32 [ 20, %entry ], [ %x1, %a ]
  %y1 = mul i32 %y, 3
  call void @do(i32 %y1)
  %d = call i1 @ask(i32 1)
  br i1 %d, label %a, label %exit
exit:
  call void @do(i32 %y1)
  ret void
}

; Three entries, each reached from each.
; CHECK-LABEL: three_entries {
; CHECK-NEXT:    switch %v {
; CHECK-NEXT:      default {
; CHECK-NEXT:        phis %entry -> %dispatch
; CHECK-NEXT:      }
; CHECK-NEXT:      case 1 {
; CHECK-NEXT:        phis %entry.to.b -> %dispatch
; CHECK-NEXT:      }
; CHECK-NEXT:      case 2 {
; CHECK-NEXT:        phis %entry.to.c -> %dispatch
; CHECK-NEXT:      }
; CHECK-NEXT:    }
; CHECK-NEXT:    loop %dispatch {
; CHECK-NEXT:      code %dispatch
; CHECK-NEXT:      switch %entry1 {
; CHECK-NEXT:        default {
; CHECK-NEXT:          code %c
; CHECK-NEXT:          switch %v {
; CHECK-NEXT:            default {
; CHECK-NEXT:              break
; CHECK-NEXT:            }
; CHECK-NEXT:            case 5 {
; CHECK-NEXT:              phis %c -> %dispatch
; CHECK-NEXT:            }
; CHECK-NEXT:            case 6 {
; CHECK-NEXT:              phis %c.to.b -> %dispatch
; CHECK-NEXT:            }
; CHECK-NEXT:          }
; CHECK-NEXT:        }
; CHECK-NEXT:        case 1 {
; CHECK-NEXT:          code %b
; CHECK-NEXT:          if %cb {
; CHECK-NEXT:            phis %b.to.c -> %dispatch
; CHECK-NEXT:          }
; CHECK-NEXT:          else {
; CHECK-NEXT:            phis %b -> %dispatch
; CHECK-NEXT:          }
; CHECK-NEXT:        }
; CHECK-NEXT:        case 2 {
; CHECK-NEXT:          code %a
; CHECK-NEXT:          if %ca {
; CHECK-NEXT:            phis %a -> %dispatch
; CHECK-NEXT:          }
; CHECK-NEXT:          else {
; CHECK-NEXT:            phis %a.to.c -> %dispatch
; CHECK-NEXT:          }
; CHECK-NEXT:        }
; CHECK-NEXT:      }
; CHECK-NEXT:    }
; CHECK-NEXT:    return
; CHECK-NEXT:  }
define void @three_entries(i32 %v) {
entry:
  switch i32 %v, label %a [ i32 1, label %b
                            i32 2, label %c ]
a:
  call void @do(i32 1)
  %ca = call i1 @ask(i32 1)
  br i1 %ca, label %b, label %c
b:
  call void @do(i32 2)
  %cb = call i1 @ask(i32 2)
  br i1 %cb, label %c, label %a
c:
  call void @do(i32 3)
  %cc = call i1 @ask(i32 3)
  switch i32 %v, label %exit [ i32 5, label %a
                               i32 6, label %b ]
exit:
  ret void
}
