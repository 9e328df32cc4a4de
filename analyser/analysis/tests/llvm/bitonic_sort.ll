; ModuleID = 'input.cl'
source_filename = "input.cl"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

@bitonic_sort_blocks_local.block = internal unnamed_addr addrspace(3) global [512 x i32] undef, align 4, !dbg !0

; Function Attrs: convergent minsize mustprogress nofree norecurse nounwind optsize readnone willreturn
define dso_local spir_func i32 @lower_of_pair(i32 noundef %0) local_unnamed_addr #0 !dbg !41 {
  call void @llvm.dbg.value(metadata i32 %0, metadata !45, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !47
  %2 = tail call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #5, !dbg !48
  %3 = trunc i64 %2 to i32, !dbg !48
  call void @llvm.dbg.value(metadata i32 %3, metadata !46, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !47
  %4 = shl nsw i32 %3, 1, !dbg !49
  %5 = add nsw i32 %0, -1, !dbg !50
  %6 = and i32 %5, %3, !dbg !51
  %7 = sub nsw i32 %4, %6, !dbg !52
  ret i32 %7, !dbg !53
}

; Function Attrs: convergent minsize mustprogress nofree nounwind optsize readnone willreturn
declare !dbg !54 dso_local spir_func i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent minsize norecurse nounwind optsize
define dso_local spir_kernel void @bitonic_sort_blocks_global(i32 addrspace(1)* nocapture noundef readonly align 4 %0, i32 addrspace(1)* nocapture noundef align 4 %1) local_unnamed_addr #2 !dbg !59 !kernel_arg_addr_space !76 !kernel_arg_access_qual !77 !kernel_arg_type !78 !kernel_arg_base_type !78 !kernel_arg_type_qual !79 !reqd_work_group_size !80 {
  call void @llvm.dbg.value(metadata i32 addrspace(1)* %0, metadata !61, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !81
  call void @llvm.dbg.value(metadata i32 addrspace(1)* %1, metadata !62, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !81
  %3 = tail call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #5, !dbg !82
  %4 = trunc i64 %3 to i32, !dbg !82
  call void @llvm.dbg.value(metadata i32 %4, metadata !63, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !81
  %5 = tail call spir_func i64 @_Z12get_group_idj(i32 noundef 0) #5, !dbg !83
  %6 = trunc i64 %5 to i32, !dbg !83
  %7 = shl i32 %6, 9, !dbg !83
  call void @llvm.dbg.value(metadata i32 %7, metadata !64, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !81
  %8 = sext i32 %7 to i64, !dbg !84
  %9 = getelementptr inbounds i32, i32 addrspace(1)* %1, i64 %8, !dbg !84
  call void @llvm.dbg.value(metadata i32 addrspace(1)* %9, metadata !65, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !81
  %10 = add nsw i32 %7, %4, !dbg !85
  %11 = sext i32 %10 to i64, !dbg !86
  %12 = getelementptr inbounds i32, i32 addrspace(1)* %0, i64 %11, !dbg !86
  %13 = load i32, i32 addrspace(1)* %12, align 4, !dbg !86, !tbaa !87
  %14 = sext i32 %4 to i64, !dbg !91
  %15 = getelementptr inbounds i32, i32 addrspace(1)* %9, i64 %14, !dbg !91
  store i32 %13, i32 addrspace(1)* %15, align 4, !dbg !92, !tbaa !87
  %16 = add nsw i32 %10, 256, !dbg !93
  %17 = sext i32 %16 to i64, !dbg !94
  %18 = getelementptr inbounds i32, i32 addrspace(1)* %0, i64 %17, !dbg !94
  %19 = load i32, i32 addrspace(1)* %18, align 4, !dbg !94, !tbaa !87
  %20 = add nsw i32 %4, 256, !dbg !95
  %21 = sext i32 %20 to i64, !dbg !96
  %22 = getelementptr inbounds i32, i32 addrspace(1)* %9, i64 %21, !dbg !96
  store i32 %19, i32 addrspace(1)* %22, align 4, !dbg !97, !tbaa !87
  call void @llvm.dbg.value(metadata i32 2, metadata !66, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !98
  br label %23, !dbg !99

23:                                               ; preds = %31, %2
  %24 = phi i32 [ 2, %2 ], [ %32, %31 ], !dbg !98
  call void @llvm.dbg.value(metadata i32 %24, metadata !66, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !98
  %25 = icmp ult i32 %24, 513, !dbg !100
  br i1 %25, label %27, label %26, !dbg !101

26:                                               ; preds = %23
  ret void, !dbg !102

27:                                               ; preds = %23, %47
  %28 = phi i32 [ %29, %47 ], [ %24, %23 ]
  %29 = lshr i32 %28, 1, !dbg !103
  call void @llvm.dbg.value(metadata i32 %29, metadata !68, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !103
  %30 = icmp ult i32 %28, 2, !dbg !104
  br i1 %30, label %31, label %33, !dbg !105

31:                                               ; preds = %27
  %32 = shl nsw i32 %24, 1, !dbg !106
  call void @llvm.dbg.value(metadata i32 %32, metadata !66, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !98
  br label %23, !dbg !107, !llvm.loop !108

33:                                               ; preds = %27
  tail call spir_func void @_Z7barrierj(i32 noundef 2) #6, !dbg !110
  %34 = tail call spir_func i32 @lower_of_pair(i32 noundef %29) #7, !dbg !111
  call void @llvm.dbg.value(metadata i32 %34, metadata !71, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !112
  %35 = sext i32 %34 to i64, !dbg !113
  %36 = getelementptr inbounds i32, i32 addrspace(1)* %9, i64 %35, !dbg !113
  %37 = load i32, i32 addrspace(1)* %36, align 4, !dbg !113, !tbaa !87
  call void @llvm.dbg.value(metadata i32 %37, metadata !74, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !112
  %38 = add nsw i32 %34, %29, !dbg !114
  %39 = sext i32 %38 to i64, !dbg !115
  %40 = getelementptr inbounds i32, i32 addrspace(1)* %9, i64 %39, !dbg !115
  %41 = load i32, i32 addrspace(1)* %40, align 4, !dbg !115, !tbaa !87
  call void @llvm.dbg.value(metadata i32 %41, metadata !75, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !112
  %42 = icmp ule i32 %37, %41, !dbg !116
  %43 = and i32 %34, %24, !dbg !118
  %44 = icmp eq i32 %43, 0, !dbg !119
  %45 = xor i1 %44, %42, !dbg !120
  br i1 %45, label %46, label %47, !dbg !121

46:                                               ; preds = %33
  store i32 %41, i32 addrspace(1)* %36, align 4, !dbg !122, !tbaa !87
  store i32 %37, i32 addrspace(1)* %40, align 4, !dbg !124, !tbaa !87
  br label %47, !dbg !125

47:                                               ; preds = %46, %33
  br label %27, !dbg !103, !llvm.loop !126
}

; Function Attrs: convergent minsize mustprogress nofree nounwind optsize readnone willreturn
declare !dbg !128 dso_local spir_func i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent minsize optsize
declare !dbg !129 dso_local spir_func void @_Z7barrierj(i32 noundef) local_unnamed_addr #3

; Function Attrs: convergent minsize norecurse nounwind optsize
define dso_local spir_kernel void @bitonic_sort_blocks_local(i32 addrspace(1)* nocapture noundef readonly align 4 %0, i32 addrspace(1)* nocapture noundef writeonly align 4 %1) local_unnamed_addr #2 !dbg !2 !kernel_arg_addr_space !76 !kernel_arg_access_qual !77 !kernel_arg_type !78 !kernel_arg_base_type !78 !kernel_arg_type_qual !79 !reqd_work_group_size !80 {
  call void @llvm.dbg.value(metadata i32 addrspace(1)* %0, metadata !16, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !133
  call void @llvm.dbg.value(metadata i32 addrspace(1)* %1, metadata !17, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !133
  %3 = tail call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #5, !dbg !134
  %4 = trunc i64 %3 to i32, !dbg !134
  call void @llvm.dbg.value(metadata i32 %4, metadata !18, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !133
  %5 = tail call spir_func i64 @_Z12get_group_idj(i32 noundef 0) #5, !dbg !135
  %6 = trunc i64 %5 to i32, !dbg !135
  %7 = shl i32 %6, 9, !dbg !135
  call void @llvm.dbg.value(metadata i32 %7, metadata !21, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !133
  %8 = add nsw i32 %7, %4, !dbg !136
  %9 = sext i32 %8 to i64, !dbg !137
  %10 = getelementptr inbounds i32, i32 addrspace(1)* %0, i64 %9, !dbg !137
  %11 = load i32, i32 addrspace(1)* %10, align 4, !dbg !137, !tbaa !87
  %12 = sext i32 %4 to i64, !dbg !138
  %13 = getelementptr inbounds [512 x i32], [512 x i32] addrspace(3)* @bitonic_sort_blocks_local.block, i64 0, i64 %12, !dbg !138
  store i32 %11, i32 addrspace(3)* %13, align 4, !dbg !139, !tbaa !87
  %14 = add nsw i32 %8, 256, !dbg !140
  %15 = sext i32 %14 to i64, !dbg !141
  %16 = getelementptr inbounds i32, i32 addrspace(1)* %0, i64 %15, !dbg !141
  %17 = load i32, i32 addrspace(1)* %16, align 4, !dbg !141, !tbaa !87
  %18 = add nsw i32 %4, 256, !dbg !142
  %19 = sext i32 %18 to i64, !dbg !143
  %20 = getelementptr inbounds [512 x i32], [512 x i32] addrspace(3)* @bitonic_sort_blocks_local.block, i64 0, i64 %19, !dbg !143
  store i32 %17, i32 addrspace(3)* %20, align 4, !dbg !144, !tbaa !87
  call void @llvm.dbg.value(metadata i32 2, metadata !22, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !145
  br label %21, !dbg !146

21:                                               ; preds = %33, %2
  %22 = phi i32 [ 2, %2 ], [ %34, %33 ], !dbg !145
  call void @llvm.dbg.value(metadata i32 %22, metadata !22, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !145
  %23 = icmp ult i32 %22, 513, !dbg !147
  br i1 %23, label %29, label %24, !dbg !148

24:                                               ; preds = %21
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #6, !dbg !149
  %25 = load i32, i32 addrspace(3)* %13, align 4, !dbg !150, !tbaa !87
  %26 = getelementptr inbounds i32, i32 addrspace(1)* %1, i64 %9, !dbg !151
  store i32 %25, i32 addrspace(1)* %26, align 4, !dbg !152, !tbaa !87
  %27 = load i32, i32 addrspace(3)* %20, align 4, !dbg !153, !tbaa !87
  %28 = getelementptr inbounds i32, i32 addrspace(1)* %1, i64 %15, !dbg !154
  store i32 %27, i32 addrspace(1)* %28, align 4, !dbg !155, !tbaa !87
  ret void, !dbg !156

29:                                               ; preds = %21, %49
  %30 = phi i32 [ %31, %49 ], [ %22, %21 ]
  %31 = lshr i32 %30, 1, !dbg !157
  call void @llvm.dbg.value(metadata i32 %31, metadata !24, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !157
  %32 = icmp ult i32 %30, 2, !dbg !158
  br i1 %32, label %33, label %35, !dbg !159

33:                                               ; preds = %29
  %34 = shl nsw i32 %22, 1, !dbg !160
  call void @llvm.dbg.value(metadata i32 %34, metadata !22, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !145
  br label %21, !dbg !161, !llvm.loop !162

35:                                               ; preds = %29
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #6, !dbg !164
  %36 = tail call spir_func i32 @lower_of_pair(i32 noundef %31) #7, !dbg !165
  call void @llvm.dbg.value(metadata i32 %36, metadata !27, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !166
  %37 = sext i32 %36 to i64, !dbg !167
  %38 = getelementptr inbounds [512 x i32], [512 x i32] addrspace(3)* @bitonic_sort_blocks_local.block, i64 0, i64 %37, !dbg !167
  %39 = load i32, i32 addrspace(3)* %38, align 4, !dbg !167, !tbaa !87
  call void @llvm.dbg.value(metadata i32 %39, metadata !30, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !166
  %40 = add nsw i32 %36, %31, !dbg !168
  %41 = sext i32 %40 to i64, !dbg !169
  %42 = getelementptr inbounds [512 x i32], [512 x i32] addrspace(3)* @bitonic_sort_blocks_local.block, i64 0, i64 %41, !dbg !169
  %43 = load i32, i32 addrspace(3)* %42, align 4, !dbg !169, !tbaa !87
  call void @llvm.dbg.value(metadata i32 %43, metadata !31, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !166
  %44 = icmp ule i32 %39, %43, !dbg !170
  %45 = and i32 %36, %22, !dbg !172
  %46 = icmp eq i32 %45, 0, !dbg !173
  %47 = xor i1 %46, %44, !dbg !174
  br i1 %47, label %48, label %49, !dbg !175

48:                                               ; preds = %35
  store i32 %43, i32 addrspace(3)* %38, align 4, !dbg !176, !tbaa !87
  store i32 %39, i32 addrspace(3)* %42, align 4, !dbg !178, !tbaa !87
  br label %49, !dbg !179

49:                                               ; preds = %48, %35
  br label %29, !dbg !157, !llvm.loop !180
}

; Function Attrs: nocallback nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.value(metadata, metadata, metadata) #4

attributes #0 = { convergent minsize mustprogress nofree norecurse nounwind optsize readnone willreturn "frame-pointer"="all" "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #1 = { convergent minsize mustprogress nofree nounwind optsize readnone willreturn "frame-pointer"="all" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #2 = { convergent minsize norecurse nounwind optsize "frame-pointer"="all" "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="true" }
attributes #3 = { convergent minsize optsize "frame-pointer"="all" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #4 = { nocallback nofree nosync nounwind readnone speculatable willreturn }
attributes #5 = { convergent minsize nobuiltin nounwind optsize readnone willreturn "no-builtins" }
attributes #6 = { convergent minsize nobuiltin nounwind optsize "no-builtins" }
attributes #7 = { convergent minsize nobuiltin optsize "no-builtins" }

!llvm.dbg.cu = !{!12}
!llvm.module.flags = !{!35, !36, !37, !38}
!opencl.ocl.version = !{!39}
!opencl.spir.version = !{!39}
!llvm.ident = !{!40}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression(DW_OP_constu, 3, DW_OP_swap, DW_OP_xderef))
!1 = distinct !DIGlobalVariable(name: "block", scope: !2, file: !3, line: 40, type: !32, isLocal: true, isDefinition: true)
!2 = distinct !DISubprogram(name: "bitonic_sort_blocks_local", scope: !3, file: !3, line: 38, type: !4, scopeLine: 39, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !12, retainedNodes: !15)
!3 = !DIFile(filename: "bitonic_sort_blocks.cl", directory: ".", checksumkind: CSK_MD5, checksum: "9325558230d03ba4b58169913aa93596")
!4 = !DISubroutineType(cc: DW_CC_LLVM_OpenCLKernel, types: !5)
!5 = !{null, !6, !11}
!6 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !7, size: 64, dwarfAddressSpace: 1)
!7 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !8)
!8 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint", file: !9, line: 105, baseType: !10)
!9 = !DIFile(filename: "opencl-c-base.h", directory: ".", checksumkind: CSK_MD5, checksum: "aaeb1e16a78b41afe42f126f38dba995")
!10 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!11 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !8, size: 64, dwarfAddressSpace: 1)
!12 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !13, producer: "Debian clang version 15.0.6", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, globals: !14, splitDebugInlining: false, nameTableKind: None)
!13 = !DIFile(filename: "bitonic_sort_blocks.cl", directory: ".", checksumkind: CSK_MD5, checksum: "9325558230d03ba4b58169913aa93596")
!14 = !{!0}
!15 = !{!16, !17, !18, !21, !22, !24, !27, !30, !31}
!16 = !DILocalVariable(name: "keys", arg: 1, scope: !2, file: !3, line: 38, type: !6)
!17 = !DILocalVariable(name: "sorted", arg: 2, scope: !2, file: !3, line: 38, type: !11)
!18 = !DILocalVariable(name: "item", scope: !2, file: !3, line: 41, type: !19)
!19 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !20)
!20 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!21 = !DILocalVariable(name: "start", scope: !2, file: !3, line: 42, type: !19)
!22 = !DILocalVariable(name: "run", scope: !23, file: !3, line: 46, type: !20)
!23 = distinct !DILexicalBlock(scope: !2, file: !3, line: 46, column: 5)
!24 = !DILocalVariable(name: "distance", scope: !25, file: !3, line: 47, type: !20)
!25 = distinct !DILexicalBlock(scope: !26, file: !3, line: 47, column: 9)
!26 = distinct !DILexicalBlock(scope: !23, file: !3, line: 46, column: 5)
!27 = !DILocalVariable(name: "lower", scope: !28, file: !3, line: 49, type: !19)
!28 = distinct !DILexicalBlock(scope: !29, file: !3, line: 47, column: 67)
!29 = distinct !DILexicalBlock(scope: !25, file: !3, line: 47, column: 9)
!30 = !DILocalVariable(name: "a", scope: !28, file: !3, line: 50, type: !7)
!31 = !DILocalVariable(name: "b", scope: !28, file: !3, line: 51, type: !7)
!32 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 16384, elements: !33)
!33 = !{!34}
!34 = !DISubrange(count: 512)
!35 = !{i32 7, !"Dwarf Version", i32 5}
!36 = !{i32 2, !"Debug Info Version", i32 3}
!37 = !{i32 1, !"wchar_size", i32 4}
!38 = !{i32 7, !"frame-pointer", i32 2}
!39 = !{i32 1, i32 2}
!40 = !{!"Debian clang version 15.0.6"}
!41 = distinct !DISubprogram(name: "lower_of_pair", scope: !3, file: !3, line: 7, type: !42, scopeLine: 8, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !12, retainedNodes: !44)
!42 = !DISubroutineType(cc: DW_CC_LLVM_SpirFunction, types: !43)
!43 = !{!20, !20}
!44 = !{!45, !46}
!45 = !DILocalVariable(name: "distance", arg: 1, scope: !41, file: !3, line: 7, type: !20)
!46 = !DILocalVariable(name: "item", scope: !41, file: !3, line: 9, type: !19)
!47 = !DILocation(line: 0, scope: !41)
!48 = !DILocation(line: 9, column: 22, scope: !41)
!49 = !DILocation(line: 10, column: 14, scope: !41)
!50 = !DILocation(line: 10, column: 41, scope: !41)
!51 = !DILocation(line: 10, column: 29, scope: !41)
!52 = !DILocation(line: 10, column: 21, scope: !41)
!53 = !DILocation(line: 10, column: 5, scope: !41)
!54 = !DISubprogram(name: "get_local_id", linkageName: "_Z12get_local_idj", scope: !3, file: !3, line: 9, type: !55, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !58)
!55 = !DISubroutineType(cc: DW_CC_LLVM_SpirFunction, types: !56)
!56 = !{!57, !10}
!57 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!58 = !{}
!59 = distinct !DISubprogram(name: "bitonic_sort_blocks_global", scope: !3, file: !3, line: 15, type: !4, scopeLine: 16, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !12, retainedNodes: !60)
!60 = !{!61, !62, !63, !64, !65, !66, !68, !71, !74, !75}
!61 = !DILocalVariable(name: "keys", arg: 1, scope: !59, file: !3, line: 15, type: !6)
!62 = !DILocalVariable(name: "sorted", arg: 2, scope: !59, file: !3, line: 15, type: !11)
!63 = !DILocalVariable(name: "item", scope: !59, file: !3, line: 17, type: !19)
!64 = !DILocalVariable(name: "start", scope: !59, file: !3, line: 18, type: !19)
!65 = !DILocalVariable(name: "block", scope: !59, file: !3, line: 19, type: !11)
!66 = !DILocalVariable(name: "run", scope: !67, file: !3, line: 23, type: !20)
!67 = distinct !DILexicalBlock(scope: !59, file: !3, line: 23, column: 5)
!68 = !DILocalVariable(name: "distance", scope: !69, file: !3, line: 24, type: !20)
!69 = distinct !DILexicalBlock(scope: !70, file: !3, line: 24, column: 9)
!70 = distinct !DILexicalBlock(scope: !67, file: !3, line: 23, column: 5)
!71 = !DILocalVariable(name: "lower", scope: !72, file: !3, line: 26, type: !19)
!72 = distinct !DILexicalBlock(scope: !73, file: !3, line: 24, column: 67)
!73 = distinct !DILexicalBlock(scope: !69, file: !3, line: 24, column: 9)
!74 = !DILocalVariable(name: "a", scope: !72, file: !3, line: 27, type: !7)
!75 = !DILocalVariable(name: "b", scope: !72, file: !3, line: 28, type: !7)
!76 = !{i32 1, i32 1}
!77 = !{!"none", !"none"}
!78 = !{!"uint*", !"uint*"}
!79 = !{!"const", !""}
!80 = !{i32 256, i32 1, i32 1}
!81 = !DILocation(line: 0, scope: !59)
!82 = !DILocation(line: 17, column: 22, scope: !59)
!83 = !DILocation(line: 18, column: 23, scope: !59)
!84 = !DILocation(line: 19, column: 35, scope: !59)
!85 = !DILocation(line: 21, column: 30, scope: !59)
!86 = !DILocation(line: 21, column: 19, scope: !59)
!87 = !{!88, !88, i64 0}
!88 = !{!"int", !89, i64 0}
!89 = !{!"omnipotent char", !90, i64 0}
!90 = !{!"Simple C/C++ TBAA"}
!91 = !DILocation(line: 21, column: 5, scope: !59)
!92 = !DILocation(line: 21, column: 17, scope: !59)
!93 = !DILocation(line: 22, column: 45, scope: !59)
!94 = !DILocation(line: 22, column: 27, scope: !59)
!95 = !DILocation(line: 22, column: 16, scope: !59)
!96 = !DILocation(line: 22, column: 5, scope: !59)
!97 = !DILocation(line: 22, column: 25, scope: !59)
!98 = !DILocation(line: 0, scope: !67)
!99 = !DILocation(line: 23, column: 10, scope: !67)
!100 = !DILocation(line: 23, column: 27, scope: !70)
!101 = !DILocation(line: 23, column: 5, scope: !67)
!102 = !DILocation(line: 34, column: 1, scope: !59)
!103 = !DILocation(line: 0, scope: !69)
!104 = !DILocation(line: 24, column: 47, scope: !73)
!105 = !DILocation(line: 24, column: 9, scope: !69)
!106 = !DILocation(line: 23, column: 41, scope: !70)
!107 = !DILocation(line: 23, column: 5, scope: !70)
!108 = distinct !{!108, !101, !109}
!109 = !DILocation(line: 33, column: 9, scope: !67)
!110 = !DILocation(line: 25, column: 13, scope: !72)
!111 = !DILocation(line: 26, column: 31, scope: !72)
!112 = !DILocation(line: 0, scope: !72)
!113 = !DILocation(line: 27, column: 28, scope: !72)
!114 = !DILocation(line: 28, column: 40, scope: !72)
!115 = !DILocation(line: 28, column: 28, scope: !72)
!116 = !DILocation(line: 29, column: 20, scope: !117)
!117 = distinct !DILexicalBlock(scope: !72, file: !3, line: 29, column: 17)
!118 = !DILocation(line: 29, column: 36, scope: !117)
!119 = !DILocation(line: 29, column: 43, scope: !117)
!120 = !DILocation(line: 29, column: 25, scope: !117)
!121 = !DILocation(line: 29, column: 17, scope: !72)
!122 = !DILocation(line: 30, column: 30, scope: !123)
!123 = distinct !DILexicalBlock(scope: !117, file: !3, line: 29, column: 50)
!124 = !DILocation(line: 31, column: 41, scope: !123)
!125 = !DILocation(line: 32, column: 13, scope: !123)
!126 = distinct !{!126, !105, !127}
!127 = !DILocation(line: 33, column: 9, scope: !69)
!128 = !DISubprogram(name: "get_group_id", linkageName: "_Z12get_group_idj", scope: !3, file: !3, line: 18, type: !55, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !58)
!129 = !DISubprogram(name: "barrier", linkageName: "_Z7barrierj", scope: !3, file: !3, line: 25, type: !130, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !58)
!130 = !DISubroutineType(cc: DW_CC_LLVM_SpirFunction, types: !131)
!131 = !{null, !132}
!132 = !DIDerivedType(tag: DW_TAG_typedef, name: "cl_mem_fence_flags", file: !9, line: 348, baseType: !8)
!133 = !DILocation(line: 0, scope: !2)
!134 = !DILocation(line: 41, column: 22, scope: !2)
!135 = !DILocation(line: 42, column: 23, scope: !2)
!136 = !DILocation(line: 44, column: 30, scope: !2)
!137 = !DILocation(line: 44, column: 19, scope: !2)
!138 = !DILocation(line: 44, column: 5, scope: !2)
!139 = !DILocation(line: 44, column: 17, scope: !2)
!140 = !DILocation(line: 45, column: 45, scope: !2)
!141 = !DILocation(line: 45, column: 27, scope: !2)
!142 = !DILocation(line: 45, column: 16, scope: !2)
!143 = !DILocation(line: 45, column: 5, scope: !2)
!144 = !DILocation(line: 45, column: 25, scope: !2)
!145 = !DILocation(line: 0, scope: !23)
!146 = !DILocation(line: 46, column: 10, scope: !23)
!147 = !DILocation(line: 46, column: 27, scope: !26)
!148 = !DILocation(line: 46, column: 5, scope: !23)
!149 = !DILocation(line: 57, column: 5, scope: !2)
!150 = !DILocation(line: 58, column: 28, scope: !2)
!151 = !DILocation(line: 58, column: 5, scope: !2)
!152 = !DILocation(line: 58, column: 26, scope: !2)
!153 = !DILocation(line: 59, column: 36, scope: !2)
!154 = !DILocation(line: 59, column: 5, scope: !2)
!155 = !DILocation(line: 59, column: 34, scope: !2)
!156 = !DILocation(line: 60, column: 1, scope: !2)
!157 = !DILocation(line: 0, scope: !25)
!158 = !DILocation(line: 47, column: 47, scope: !29)
!159 = !DILocation(line: 47, column: 9, scope: !25)
!160 = !DILocation(line: 46, column: 41, scope: !26)
!161 = !DILocation(line: 46, column: 5, scope: !26)
!162 = distinct !{!162, !148, !163}
!163 = !DILocation(line: 56, column: 9, scope: !23)
!164 = !DILocation(line: 48, column: 13, scope: !28)
!165 = !DILocation(line: 49, column: 31, scope: !28)
!166 = !DILocation(line: 0, scope: !28)
!167 = !DILocation(line: 50, column: 28, scope: !28)
!168 = !DILocation(line: 51, column: 40, scope: !28)
!169 = !DILocation(line: 51, column: 28, scope: !28)
!170 = !DILocation(line: 52, column: 20, scope: !171)
!171 = distinct !DILexicalBlock(scope: !28, file: !3, line: 52, column: 17)
!172 = !DILocation(line: 52, column: 36, scope: !171)
!173 = !DILocation(line: 52, column: 43, scope: !171)
!174 = !DILocation(line: 52, column: 25, scope: !171)
!175 = !DILocation(line: 52, column: 17, scope: !28)
!176 = !DILocation(line: 53, column: 30, scope: !177)
!177 = distinct !DILexicalBlock(scope: !171, file: !3, line: 52, column: 50)
!178 = !DILocation(line: 54, column: 41, scope: !177)
!179 = !DILocation(line: 55, column: 13, scope: !177)
!180 = distinct !{!180, !159, !181}
!181 = !DILocation(line: 56, column: 9, scope: !25)
