; ModuleID = 'input.cl'
source_filename = "input.cl"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

@tree_search_local.top = internal unnamed_addr addrspace(3) global [256 x i32] undef, align 4, !dbg !0

; Function Attrs: convergent minsize nofree norecurse nounwind optsize
define dso_local spir_kernel void @tree_search_global(i32 addrspace(1)* nocapture noundef readonly %tree, i32 addrspace(1)* nocapture noundef readonly %queries, i32 addrspace(1)* nocapture noundef writeonly %ranks, i32 noundef %levels) local_unnamed_addr #0 !dbg !37 !kernel_arg_addr_space !47 !kernel_arg_access_qual !48 !kernel_arg_type !49 !kernel_arg_base_type !49 !kernel_arg_type_qual !50 !kernel_arg_name !51 !reqd_work_group_size !52 {
entry:
  %call = tail call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #5, !dbg !53
  %arrayidx = getelementptr inbounds i32, i32 addrspace(1)* %queries, i64 %call, !dbg !54
  %0 = load i32, i32 addrspace(1)* %arrayidx, align 4, !dbg !54, !tbaa !55
  br label %for.cond, !dbg !59

for.cond:                                         ; preds = %for.body, %entry
  %node.0 = phi i32 [ 1, %entry ], [ %add, %for.body ], !dbg !60
  %level.0 = phi i32 [ 0, %entry ], [ %inc, %for.body ], !dbg !61
  %cmp = icmp slt i32 %level.0, %levels, !dbg !62
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !dbg !64

for.cond.cleanup:                                 ; preds = %for.cond
  %shl.mask = and i32 %levels, 31, !dbg !65
  %shl.neg = shl nsw i32 -1, %shl.mask, !dbg !65
  %sub3 = add i32 %node.0, %shl.neg, !dbg !66
  %arrayidx5 = getelementptr inbounds i32, i32 addrspace(1)* %ranks, i64 %call, !dbg !67
  store i32 %sub3, i32 addrspace(1)* %arrayidx5, align 4, !dbg !68, !tbaa !55
  ret void, !dbg !69

for.body:                                         ; preds = %for.cond
  %mul = shl i32 %node.0, 1, !dbg !70
  %sub = add i32 %node.0, -1, !dbg !71
  %idxprom = zext i32 %sub to i64, !dbg !72
  %arrayidx1 = getelementptr inbounds i32, i32 addrspace(1)* %tree, i64 %idxprom, !dbg !72
  %1 = load i32, i32 addrspace(1)* %arrayidx1, align 4, !dbg !72, !tbaa !55
  %cmp2 = icmp ult i32 %1, %0, !dbg !73
  %conv = zext i1 %cmp2 to i32, !dbg !73
  %add = or i32 %mul, %conv, !dbg !74
  %inc = add nuw nsw i32 %level.0, 1, !dbg !75
  br label %for.cond, !dbg !76, !llvm.loop !77
}

; Function Attrs: convergent minsize mustprogress nofree nounwind optsize readnone willreturn
declare spir_func i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent minsize norecurse nounwind optsize
define dso_local spir_kernel void @tree_search_local(i32 addrspace(1)* nocapture noundef readonly %tree, i32 addrspace(1)* nocapture noundef readonly %queries, i32 addrspace(1)* nocapture noundef writeonly %ranks, i32 noundef %levels) local_unnamed_addr #2 !dbg !2 !kernel_arg_addr_space !47 !kernel_arg_access_qual !48 !kernel_arg_type !49 !kernel_arg_base_type !49 !kernel_arg_type_qual !50 !kernel_arg_name !51 !reqd_work_group_size !52 {
entry:
  %call = tail call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #5, !dbg !79
  %conv = trunc i64 %call to i32, !dbg !79
  br label %for.cond, !dbg !80

for.cond:                                         ; preds = %for.body, %entry
  %i.0 = phi i32 [ %conv, %entry ], [ %add, %for.body ], !dbg !81
  %cmp = icmp slt i32 %i.0, 255, !dbg !82
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !dbg !84

for.cond.cleanup:                                 ; preds = %for.cond
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #6, !dbg !85
  %call4 = tail call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #5, !dbg !86
  %arrayidx5 = getelementptr inbounds i32, i32 addrspace(1)* %queries, i64 %call4, !dbg !87
  %0 = load i32, i32 addrspace(1)* %arrayidx5, align 4, !dbg !87, !tbaa !55
  br label %for.cond6, !dbg !88

for.body:                                         ; preds = %for.cond
  %idxprom = sext i32 %i.0 to i64, !dbg !89
  %arrayidx = getelementptr inbounds i32, i32 addrspace(1)* %tree, i64 %idxprom, !dbg !89
  %1 = load i32, i32 addrspace(1)* %arrayidx, align 4, !dbg !89, !tbaa !55
  %arrayidx3 = getelementptr inbounds [256 x i32], [256 x i32] addrspace(3)* @tree_search_local.top, i64 0, i64 %idxprom, !dbg !90
  store i32 %1, i32 addrspace(3)* %arrayidx3, align 4, !dbg !91, !tbaa !55
  %add = add nsw i32 %i.0, 64, !dbg !92
  br label %for.cond, !dbg !93, !llvm.loop !94

for.cond6:                                        ; preds = %for.body10, %for.cond.cleanup
  %node.0 = phi i32 [ 1, %for.cond.cleanup ], [ %add15, %for.body10 ], !dbg !96
  %level.0 = phi i32 [ 0, %for.cond.cleanup ], [ %inc, %for.body10 ], !dbg !97
  %cmp7 = icmp ult i32 %level.0, 8, !dbg !98
  br i1 %cmp7, label %for.body10, label %for.cond19, !dbg !100

for.body10:                                       ; preds = %for.cond6
  %mul = shl i32 %node.0, 1, !dbg !101
  %sub = add i32 %node.0, -1, !dbg !102
  %idxprom11 = zext i32 %sub to i64, !dbg !103
  %arrayidx12 = getelementptr inbounds [256 x i32], [256 x i32] addrspace(3)* @tree_search_local.top, i64 0, i64 %idxprom11, !dbg !103
  %2 = load i32, i32 addrspace(3)* %arrayidx12, align 4, !dbg !103, !tbaa !55
  %cmp13 = icmp ult i32 %2, %0, !dbg !104
  %conv14 = zext i1 %cmp13 to i32, !dbg !104
  %add15 = or i32 %mul, %conv14, !dbg !105
  %inc = add nuw nsw i32 %level.0, 1, !dbg !106
  br label %for.cond6, !dbg !107, !llvm.loop !108

for.cond19:                                       ; preds = %for.cond6, %for.body23
  %node.1 = phi i32 [ %add30, %for.body23 ], [ %node.0, %for.cond6 ], !dbg !96
  %level18.0 = phi i32 [ %inc32, %for.body23 ], [ 8, %for.cond6 ], !dbg !110
  %cmp20 = icmp slt i32 %level18.0, %levels, !dbg !111
  br i1 %cmp20, label %for.body23, label %for.cond.cleanup22, !dbg !113

for.cond.cleanup22:                               ; preds = %for.cond19
  %shl.mask = and i32 %levels, 31, !dbg !114
  %shl.neg = shl nsw i32 -1, %shl.mask, !dbg !114
  %sub34 = add i32 %node.1, %shl.neg, !dbg !115
  %arrayidx36 = getelementptr inbounds i32, i32 addrspace(1)* %ranks, i64 %call4, !dbg !116
  store i32 %sub34, i32 addrspace(1)* %arrayidx36, align 4, !dbg !117, !tbaa !55
  ret void, !dbg !118

for.body23:                                       ; preds = %for.cond19
  %mul24 = shl i32 %node.1, 1, !dbg !119
  %sub25 = add i32 %node.1, -1, !dbg !120
  %idxprom26 = zext i32 %sub25 to i64, !dbg !121
  %arrayidx27 = getelementptr inbounds i32, i32 addrspace(1)* %tree, i64 %idxprom26, !dbg !121
  %3 = load i32, i32 addrspace(1)* %arrayidx27, align 4, !dbg !121, !tbaa !55
  %cmp28 = icmp ult i32 %3, %0, !dbg !122
  %conv29 = zext i1 %cmp28 to i32, !dbg !122
  %add30 = or i32 %mul24, %conv29, !dbg !123
  %inc32 = add nuw nsw i32 %level18.0, 1, !dbg !124
  br label %for.cond19, !dbg !125, !llvm.loop !126
}

; Function Attrs: convergent minsize mustprogress nofree nounwind optsize readnone willreturn
declare spir_func i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent minsize optsize
declare spir_func void @_Z7barrierj(i32 noundef) local_unnamed_addr #3

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.value(metadata, metadata, metadata) #4

attributes #0 = { convergent minsize nofree norecurse nounwind optsize "frame-pointer"="none" "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="true" }
attributes #1 = { convergent minsize mustprogress nofree nounwind optsize readnone willreturn "frame-pointer"="none" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #2 = { convergent minsize norecurse nounwind optsize "frame-pointer"="none" "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="true" }
attributes #3 = { convergent minsize optsize "frame-pointer"="none" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #4 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #5 = { convergent minsize nobuiltin nounwind optsize readnone willreturn "no-builtins" }
attributes #6 = { convergent minsize nobuiltin nounwind optsize "no-builtins" }

!llvm.dbg.cu = !{!13}
!llvm.module.flags = !{!32, !33}
!opencl.ocl.version = !{!34}
!opencl.spir.version = !{!34}
!llvm.ident = !{!35}
!oclgrind_binary_type = !{!36}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression(DW_OP_constu, 3, DW_OP_swap, DW_OP_xderef))
!1 = distinct !DIGlobalVariable(name: "top", scope: !2, file: !3, line: 22, type: !29, isLocal: true, isDefinition: true)
!2 = distinct !DISubprogram(name: "tree_search_local", scope: !3, file: !3, line: 19, type: !4, scopeLine: 21, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !13, retainedNodes: !16)
!3 = !DIFile(filename: "input.cl", directory: ".")
!4 = !DISubroutineType(cc: DW_CC_LLVM_OpenCLKernel, types: !5)
!5 = !{null, !6, !6, !11, !12}
!6 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !7, size: 64, dwarfAddressSpace: 1)
!7 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !8)
!8 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint", file: !9, line: 98, baseType: !10)
!9 = !DIFile(filename: "opencl-c-base.h", directory: ".")
!10 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!11 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !8, size: 64, dwarfAddressSpace: 1)
!12 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!13 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !14, producer: "Debian clang version 14.0.6", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, globals: !15, splitDebugInlining: false, nameTableKind: None)
!14 = !DIFile(filename: "<stdin>", directory: ".")
!15 = !{!0}
!16 = !{!17, !18, !19, !20, !21, !23, !24, !25, !27}
!17 = !DILocalVariable(name: "tree", arg: 1, scope: !2, file: !3, line: 19, type: !6)
!18 = !DILocalVariable(name: "queries", arg: 2, scope: !2, file: !3, line: 19, type: !6)
!19 = !DILocalVariable(name: "ranks", arg: 3, scope: !2, file: !3, line: 19, type: !11)
!20 = !DILocalVariable(name: "levels", arg: 4, scope: !2, file: !3, line: 20, type: !12)
!21 = !DILocalVariable(name: "i", scope: !22, file: !3, line: 23, type: !12)
!22 = distinct !DILexicalBlock(scope: !2, file: !3, line: 23, column: 5)
!23 = !DILocalVariable(name: "query", scope: !2, file: !3, line: 27, type: !7)
!24 = !DILocalVariable(name: "node", scope: !2, file: !3, line: 28, type: !8)
!25 = !DILocalVariable(name: "level", scope: !26, file: !3, line: 29, type: !12)
!26 = distinct !DILexicalBlock(scope: !2, file: !3, line: 29, column: 5)
!27 = !DILocalVariable(name: "level", scope: !28, file: !3, line: 31, type: !12)
!28 = distinct !DILexicalBlock(scope: !2, file: !3, line: 31, column: 5)
!29 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 8192, elements: !30)
!30 = !{!31}
!31 = !DISubrange(count: 256)
!32 = !{i32 2, !"Debug Info Version", i32 3}
!33 = !{i32 1, !"wchar_size", i32 4}
!34 = !{i32 1, i32 2}
!35 = !{!"Debian clang version 14.0.6"}
!36 = !{i4 4}
!37 = distinct !DISubprogram(name: "tree_search_global", scope: !3, file: !3, line: 7, type: !4, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !13, retainedNodes: !38)
!38 = !{!39, !40, !41, !42, !43, !44, !45}
!39 = !DILocalVariable(name: "tree", arg: 1, scope: !37, file: !3, line: 7, type: !6)
!40 = !DILocalVariable(name: "queries", arg: 2, scope: !37, file: !3, line: 7, type: !6)
!41 = !DILocalVariable(name: "ranks", arg: 3, scope: !37, file: !3, line: 7, type: !11)
!42 = !DILocalVariable(name: "levels", arg: 4, scope: !37, file: !3, line: 8, type: !12)
!43 = !DILocalVariable(name: "query", scope: !37, file: !3, line: 10, type: !7)
!44 = !DILocalVariable(name: "node", scope: !37, file: !3, line: 11, type: !8)
!45 = !DILocalVariable(name: "level", scope: !46, file: !3, line: 12, type: !12)
!46 = distinct !DILexicalBlock(scope: !37, file: !3, line: 12, column: 5)
!47 = !{i32 1, i32 1, i32 1, i32 0}
!48 = !{!"none", !"none", !"none", !"none"}
!49 = !{!"uint*", !"uint*", !"uint*", !"int"}
!50 = !{!"const", !"const", !"", !""}
!51 = !{!"tree", !"queries", !"ranks", !"levels"}
!52 = !{i32 64, i32 1, i32 1}
!53 = !DILocation(line: 10, column: 32, scope: !37)
!54 = !DILocation(line: 10, column: 24, scope: !37)
!55 = !{!56, !56, i64 0}
!56 = !{!"int", !57, i64 0}
!57 = !{!"omnipotent char", !58, i64 0}
!58 = !{!"Simple C/C++ TBAA"}
!59 = !DILocation(line: 12, column: 10, scope: !46)
!60 = !DILocation(line: 0, scope: !37)
!61 = !DILocation(line: 0, scope: !46)
!62 = !DILocation(line: 12, column: 31, scope: !63)
!63 = distinct !DILexicalBlock(scope: !46, file: !3, line: 12, column: 5)
!64 = !DILocation(line: 12, column: 5, scope: !46)
!65 = !DILocation(line: 14, column: 42, scope: !37)
!66 = !DILocation(line: 14, column: 36, scope: !37)
!67 = !DILocation(line: 14, column: 5, scope: !37)
!68 = !DILocation(line: 14, column: 29, scope: !37)
!69 = !DILocation(line: 15, column: 1, scope: !37)
!70 = !DILocation(line: 13, column: 18, scope: !63)
!71 = !DILocation(line: 13, column: 38, scope: !63)
!72 = !DILocation(line: 13, column: 28, scope: !63)
!73 = !DILocation(line: 13, column: 43, scope: !63)
!74 = !DILocation(line: 13, column: 25, scope: !63)
!75 = !DILocation(line: 12, column: 41, scope: !63)
!76 = !DILocation(line: 12, column: 5, scope: !63)
!77 = distinct !{!77, !64, !78}
!78 = !DILocation(line: 13, column: 50, scope: !46)
!79 = !DILocation(line: 23, column: 18, scope: !22)
!80 = !DILocation(line: 23, column: 10, scope: !22)
!81 = !DILocation(line: 0, scope: !22)
!82 = !DILocation(line: 23, column: 37, scope: !83)
!83 = distinct !DILexicalBlock(scope: !22, file: !3, line: 23, column: 5)
!84 = !DILocation(line: 23, column: 5, scope: !22)
!85 = !DILocation(line: 25, column: 5, scope: !2)
!86 = !DILocation(line: 27, column: 32, scope: !2)
!87 = !DILocation(line: 27, column: 24, scope: !2)
!88 = !DILocation(line: 29, column: 10, scope: !26)
!89 = !DILocation(line: 24, column: 18, scope: !83)
!90 = !DILocation(line: 24, column: 9, scope: !83)
!91 = !DILocation(line: 24, column: 16, scope: !83)
!92 = !DILocation(line: 23, column: 57, scope: !83)
!93 = !DILocation(line: 23, column: 5, scope: !83)
!94 = distinct !{!94, !84, !95}
!95 = !DILocation(line: 24, column: 24, scope: !22)
!96 = !DILocation(line: 0, scope: !2)
!97 = !DILocation(line: 0, scope: !26)
!98 = !DILocation(line: 29, column: 31, scope: !99)
!99 = distinct !DILexicalBlock(scope: !26, file: !3, line: 29, column: 5)
!100 = !DILocation(line: 29, column: 5, scope: !26)
!101 = !DILocation(line: 30, column: 18, scope: !99)
!102 = !DILocation(line: 30, column: 37, scope: !99)
!103 = !DILocation(line: 30, column: 28, scope: !99)
!104 = !DILocation(line: 30, column: 42, scope: !99)
!105 = !DILocation(line: 30, column: 25, scope: !99)
!106 = !DILocation(line: 29, column: 38, scope: !99)
!107 = !DILocation(line: 29, column: 5, scope: !99)
!108 = distinct !{!108, !100, !109}
!109 = !DILocation(line: 30, column: 49, scope: !26)
!110 = !DILocation(line: 0, scope: !28)
!111 = !DILocation(line: 31, column: 33, scope: !112)
!112 = distinct !DILexicalBlock(scope: !28, file: !3, line: 31, column: 5)
!113 = !DILocation(line: 31, column: 5, scope: !28)
!114 = !DILocation(line: 33, column: 42, scope: !2)
!115 = !DILocation(line: 33, column: 36, scope: !2)
!116 = !DILocation(line: 33, column: 5, scope: !2)
!117 = !DILocation(line: 33, column: 29, scope: !2)
!118 = !DILocation(line: 34, column: 1, scope: !2)
!119 = !DILocation(line: 32, column: 18, scope: !112)
!120 = !DILocation(line: 32, column: 38, scope: !112)
!121 = !DILocation(line: 32, column: 28, scope: !112)
!122 = !DILocation(line: 32, column: 43, scope: !112)
!123 = !DILocation(line: 32, column: 25, scope: !112)
!124 = !DILocation(line: 31, column: 43, scope: !112)
!125 = !DILocation(line: 31, column: 5, scope: !112)
!126 = distinct !{!126, !113, !127}
!127 = !DILocation(line: 32, column: 50, scope: !28)
