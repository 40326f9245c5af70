; RUN: %khal-structure-test %s --ir | FileCheck %s
; What is computed in a loop and used after it comes out through phis; addresses are computed again.

declare i1 @ask(i32)
declare void @do(i32)
@table = internal global [16 x i32] zeroinitializer

; CHECK-LABEL: value_out {
; CHECK:         loop %loop {
; CHECK:           if %more {
; CHECK:           else {
; CHECK-NEXT:        phis %loop -> %after
; CHECK-NEXT:        break
; CHECK:         code %after
; CHECK-LABEL: define void @value_out
; CHECK:       after:
; CHECK-NEXT:    %square.out = phi i32 [ %square, %loop ]
; CHECK-NEXT:    call void @do(i32 %square.out)
define void @value_out(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %square = mul i32 %i, %i
  call void @do(i32 %square)
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %after
after:
  call void @do(i32 %square)
  ret void
}

; Through two loops at once: a phi each.
; CHECK-LABEL: define void @value_out_of_two
; CHECK:       latch:
; CHECK:         %i.out = phi i32 [ %i, %inner ]
; CHECK:       after:
; CHECK:         %i.out{{.*}} = phi i32 [ %i.out, %latch ]
; CHECK:         call void @do(i32 %i.out{{.*}})
define void @value_out_of_two(i32 %n) {
entry:
  br label %outer
outer:
  call void @do(i32 0)
  br label %inner
inner:
  %i = phi i32 [ 0, %outer ], [ %next, %inner ]
  %next = add i32 %i, 1
  %more = call i1 @ask(i32 %i)
  br i1 %more, label %inner, label %latch
latch:
  %again = call i1 @ask(i32 -1)
  br i1 %again, label %outer, label %after
after:
  call void @do(i32 %i)
  ret void
}

; CHECK-LABEL: define void @address_out
; CHECK:       after:
; CHECK-NEXT:    %i.out = phi i32 [ %i, %loop ]
; CHECK-NEXT:    %[[ADDRESS:.*]] = getelementptr [16 x i32], ptr @table, i32 0, i32 %i.out
; CHECK-NEXT:    store i32 7, ptr %[[ADDRESS]]
define void @address_out() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %address = getelementptr [16 x i32], ptr @table, i32 0, i32 %i
  store i32 %i, ptr %address
  %next = add i32 %i, 1
  %more = call i1 @ask(i32 %i)
  br i1 %more, label %loop, label %after
after:
  store i32 7, ptr %address
  ret void
}

; The pair that a cmpxchg gives is taken apart where it is made.
; CHECK-LABEL: define void @pair_out
; CHECK:         cmpxchg
; CHECK-NEXT:    %old = extractvalue
; CHECK:       after:
; CHECK-NEXT:    %old.out = phi i32 [ %old, %loop ]
define void @pair_out() {
entry:
  br label %loop
loop:
  %pair = cmpxchg ptr @table, i32 0, i32 1 monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %after, label %loop
after:
  %old = extractvalue { i32, i1 } %pair, 0
  call void @do(i32 %old)
  ret void
}

; A loop around that is entered from the loop's exit: the phi carries the value on round it.
; CHECK-LABEL: define void @value_around
; CHECK:       second:
; CHECK-NEXT:    %i.out = phi i32 [ %i.out, %second ], [ %i, %first ]
define void @value_around() {
entry:
  br label %first
first:
  %i = phi i32 [ 0, %entry ], [ %next, %first ]
  %next = add i32 %i, 1
  %more = call i1 @ask(i32 %i)
  br i1 %more, label %first, label %second
second:
  call void @do(i32 %i)
  %again = call i1 @ask(i32 -1)
  br i1 %again, label %second, label %exit
exit:
  ret void
}
