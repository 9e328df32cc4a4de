; ModuleID = 'input.cl'
source_filename = "input.cl"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

; Function Attrs: convergent minsize norecurse nounwind optsize
define dso_local spir_kernel void @histogram_global(i16 addrspace(1)* nocapture noundef readonly %values, i32 addrspace(1)* noundef %counts, i32 noundef %n, i32 noundef %bins) local_unnamed_addr #0 !dbg !7 !kernel_arg_addr_space !29 !kernel_arg_access_qual !30 !kernel_arg_type !31 !kernel_arg_base_type !31 !kernel_arg_type_qual !32 !kernel_arg_name !33 !reqd_work_group_size !34 {
entry:
  %call = tail call spir_func i64 @_Z15get_global_sizej(i32 noundef 0) #4, !dbg !35
  %conv = trunc i64 %call to i32, !dbg !35
  %call1 = tail call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #4, !dbg !36
  %conv2 = trunc i64 %call1 to i32, !dbg !36
  %sub = add i32 %bins, 65535
  br label %for.cond, !dbg !37

for.cond:                                         ; preds = %for.body, %entry
  %i.0 = phi i32 [ %conv2, %entry ], [ %add, %for.body ], !dbg !38
  %cmp = icmp slt i32 %i.0, %n, !dbg !39
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !dbg !41

for.cond.cleanup:                                 ; preds = %for.cond
  ret void, !dbg !42

for.body:                                         ; preds = %for.cond
  %idxprom = sext i32 %i.0 to i64, !dbg !43
  %arrayidx = getelementptr inbounds i16, i16 addrspace(1)* %values, i64 %idxprom, !dbg !43
  %0 = load i16, i16 addrspace(1)* %arrayidx, align 2, !dbg !43, !tbaa !44
  %conv4 = zext i16 %0 to i32, !dbg !43
  %and = and i32 %sub, %conv4, !dbg !48
  %1 = zext i32 %and to i64
  %arrayidx6 = getelementptr inbounds i32, i32 addrspace(1)* %counts, i64 %1, !dbg !49
  %call7 = tail call spir_func i32 @_Z10atomic_incPU3AS1Vj(i32 addrspace(1)* noundef %arrayidx6) #5, !dbg !50
  %add = add nsw i32 %i.0, %conv, !dbg !51
  br label %for.cond, !dbg !52, !llvm.loop !53
}

; Function Attrs: convergent minsize mustprogress nofree nounwind optsize readnone willreturn
declare spir_func i64 @_Z15get_global_sizej(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent minsize mustprogress nofree nounwind optsize readnone willreturn
declare spir_func i64 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent minsize optsize
declare spir_func i32 @_Z10atomic_incPU3AS1Vj(i32 addrspace(1)* noundef) local_unnamed_addr #2

; Function Attrs: convergent minsize norecurse nounwind optsize
define dso_local spir_kernel void @histogram_local(i16 addrspace(1)* nocapture noundef readonly %values, i32 addrspace(1)* noundef %counts, i32 noundef %n, i32 noundef %bins, i32 addrspace(3)* noundef %own) local_unnamed_addr #0 !dbg !55 !kernel_arg_addr_space !72 !kernel_arg_access_qual !73 !kernel_arg_type !74 !kernel_arg_base_type !74 !kernel_arg_type_qual !75 !kernel_arg_name !76 !reqd_work_group_size !34 {
entry:
  %call = tail call spir_func i64 @_Z15get_global_sizej(i32 noundef 0) #4, !dbg !77
  %call1 = tail call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #4, !dbg !78
  %conv2 = trunc i64 %call1 to i32, !dbg !78
  br label %for.cond, !dbg !79

for.cond:                                         ; preds = %for.body, %entry
  %bin.0 = phi i32 [ %conv2, %entry ], [ %add, %for.body ], !dbg !80
  %cmp = icmp slt i32 %bin.0, %bins, !dbg !81
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !dbg !83

for.cond.cleanup:                                 ; preds = %for.cond
  %conv = trunc i64 %call to i32, !dbg !77
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !84
  %call4 = tail call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #4, !dbg !85
  %conv5 = trunc i64 %call4 to i32, !dbg !85
  %sub = add i32 %bins, 65535
  br label %for.cond6, !dbg !86

for.body:                                         ; preds = %for.cond
  %idxprom = sext i32 %bin.0 to i64, !dbg !87
  %arrayidx = getelementptr inbounds i32, i32 addrspace(3)* %own, i64 %idxprom, !dbg !87
  store i32 0, i32 addrspace(3)* %arrayidx, align 4, !dbg !88, !tbaa !89
  %add = add nsw i32 %bin.0, 128, !dbg !91
  br label %for.cond, !dbg !92, !llvm.loop !93

for.cond6:                                        ; preds = %for.body10, %for.cond.cleanup
  %i.0 = phi i32 [ %conv5, %for.cond.cleanup ], [ %add18, %for.body10 ], !dbg !95
  %cmp7 = icmp slt i32 %i.0, %n, !dbg !96
  br i1 %cmp7, label %for.body10, label %for.cond.cleanup9, !dbg !98

for.cond.cleanup9:                                ; preds = %for.cond6
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !99
  br label %for.cond23, !dbg !100

for.body10:                                       ; preds = %for.cond6
  %idxprom11 = sext i32 %i.0 to i64, !dbg !101
  %arrayidx12 = getelementptr inbounds i16, i16 addrspace(1)* %values, i64 %idxprom11, !dbg !101
  %0 = load i16, i16 addrspace(1)* %arrayidx12, align 2, !dbg !101, !tbaa !44
  %conv13 = zext i16 %0 to i32, !dbg !101
  %and = and i32 %sub, %conv13, !dbg !102
  %1 = zext i32 %and to i64
  %arrayidx15 = getelementptr inbounds i32, i32 addrspace(3)* %own, i64 %1, !dbg !103
  %call16 = tail call spir_func i32 @_Z10atomic_incPU3AS3Vj(i32 addrspace(3)* noundef %arrayidx15) #5, !dbg !104
  %add18 = add nsw i32 %i.0, %conv, !dbg !105
  br label %for.cond6, !dbg !106, !llvm.loop !107

for.cond23:                                       ; preds = %for.inc37, %for.cond.cleanup9
  %bin20.0 = phi i32 [ %conv2, %for.cond.cleanup9 ], [ %add38, %for.inc37 ], !dbg !109
  %cmp24 = icmp slt i32 %bin20.0, %bins, !dbg !110
  br i1 %cmp24, label %for.body27, label %for.cond.cleanup26, !dbg !112

for.cond.cleanup26:                               ; preds = %for.cond23
  ret void, !dbg !113

for.body27:                                       ; preds = %for.cond23
  %idxprom28 = sext i32 %bin20.0 to i64, !dbg !114
  %arrayidx29 = getelementptr inbounds i32, i32 addrspace(3)* %own, i64 %idxprom28, !dbg !114
  %2 = load i32, i32 addrspace(3)* %arrayidx29, align 4, !dbg !114, !tbaa !89
  %cmp30.not = icmp eq i32 %2, 0, !dbg !116
  br i1 %cmp30.not, label %for.inc37, label %if.then, !dbg !117

if.then:                                          ; preds = %for.body27
  %arrayidx33 = getelementptr inbounds i32, i32 addrspace(1)* %counts, i64 %idxprom28, !dbg !118
  %call36 = tail call spir_func i32 @_Z10atomic_addPU3AS1Vjj(i32 addrspace(1)* noundef %arrayidx33, i32 noundef %2) #5, !dbg !119
  br label %for.inc37, !dbg !119

for.inc37:                                        ; preds = %for.body27, %if.then
  %add38 = add nsw i32 %bin20.0, 128, !dbg !120
  br label %for.cond23, !dbg !121, !llvm.loop !122
}

; Function Attrs: convergent minsize mustprogress nofree nounwind optsize readnone willreturn
declare spir_func i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent minsize optsize
declare spir_func void @_Z7barrierj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent minsize optsize
declare spir_func i32 @_Z10atomic_incPU3AS3Vj(i32 addrspace(3)* noundef) local_unnamed_addr #2

; Function Attrs: convergent minsize optsize
declare spir_func i32 @_Z10atomic_addPU3AS1Vjj(i32 addrspace(1)* noundef, i32 noundef) local_unnamed_addr #2

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.value(metadata, metadata, metadata) #3

attributes #0 = { convergent minsize norecurse nounwind optsize "frame-pointer"="none" "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="true" }
attributes #1 = { convergent minsize mustprogress nofree nounwind optsize readnone willreturn "frame-pointer"="none" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #2 = { convergent minsize optsize "frame-pointer"="none" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #3 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #4 = { convergent minsize nobuiltin nounwind optsize readnone willreturn "no-builtins" }
attributes #5 = { convergent minsize nobuiltin nounwind optsize "no-builtins" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!opencl.ocl.version = !{!4}
!opencl.spir.version = !{!4}
!llvm.ident = !{!5}
!oclgrind_binary_type = !{!6}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, producer: "Debian clang version 14.0.6", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "<stdin>", directory: ".")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 1, !"wchar_size", i32 4}
!4 = !{i32 1, i32 2}
!5 = !{!"Debian clang version 14.0.6"}
!6 = !{i4 4}
!7 = distinct !DISubprogram(name: "histogram_global", scope: !8, file: !8, line: 6, type: !9, scopeLine: 7, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !20)
!8 = !DIFile(filename: "input.cl", directory: ".")
!9 = !DISubroutineType(cc: DW_CC_LLVM_OpenCLKernel, types: !10)
!10 = !{null, !11, !16, !19, !19}
!11 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !12, size: 64, dwarfAddressSpace: 1)
!12 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !13)
!13 = !DIDerivedType(tag: DW_TAG_typedef, name: "ushort", file: !14, line: 93, baseType: !15)
!14 = !DIFile(filename: "opencl-c-base.h", directory: ".")
!15 = !DIBasicType(name: "unsigned short", size: 16, encoding: DW_ATE_unsigned)
!16 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !17, size: 64, dwarfAddressSpace: 1)
!17 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint", file: !14, line: 98, baseType: !18)
!18 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!19 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!20 = !{!21, !22, !23, !24, !25, !27}
!21 = !DILocalVariable(name: "values", arg: 1, scope: !7, file: !8, line: 6, type: !11)
!22 = !DILocalVariable(name: "counts", arg: 2, scope: !7, file: !8, line: 6, type: !16)
!23 = !DILocalVariable(name: "n", arg: 3, scope: !7, file: !8, line: 6, type: !19)
!24 = !DILocalVariable(name: "bins", arg: 4, scope: !7, file: !8, line: 6, type: !19)
!25 = !DILocalVariable(name: "apart", scope: !7, file: !8, line: 8, type: !26)
!26 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !19)
!27 = !DILocalVariable(name: "i", scope: !28, file: !8, line: 9, type: !19)
!28 = distinct !DILexicalBlock(scope: !7, file: !8, line: 9, column: 5)
!29 = !{i32 1, i32 1, i32 0, i32 0}
!30 = !{!"none", !"none", !"none", !"none"}
!31 = !{!"ushort*", !"uint*", !"int", !"int"}
!32 = !{!"const", !"", !"", !""}
!33 = !{!"values", !"counts", !"n", !"bins"}
!34 = !{i32 128, i32 1, i32 1}
!35 = !DILocation(line: 8, column: 23, scope: !7)
!36 = !DILocation(line: 9, column: 18, scope: !28)
!37 = !DILocation(line: 9, column: 10, scope: !28)
!38 = !DILocation(line: 0, scope: !28)
!39 = !DILocation(line: 9, column: 38, scope: !40)
!40 = distinct !DILexicalBlock(scope: !28, file: !8, line: 9, column: 5)
!41 = !DILocation(line: 9, column: 5, scope: !28)
!42 = !DILocation(line: 11, column: 1, scope: !7)
!43 = !DILocation(line: 10, column: 28, scope: !40)
!44 = !{!45, !45, i64 0}
!45 = !{!"short", !46, i64 0}
!46 = !{!"omnipotent char", !47, i64 0}
!47 = !{!"Simple C/C++ TBAA"}
!48 = !DILocation(line: 10, column: 38, scope: !40)
!49 = !DILocation(line: 10, column: 21, scope: !40)
!50 = !DILocation(line: 10, column: 9, scope: !40)
!51 = !DILocation(line: 9, column: 45, scope: !40)
!52 = !DILocation(line: 9, column: 5, scope: !40)
!53 = distinct !{!53, !41, !54}
!54 = !DILocation(line: 10, column: 51, scope: !28)
!55 = distinct !DISubprogram(name: "histogram_local", scope: !8, file: !8, line: 15, type: !56, scopeLine: 17, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !59)
!56 = !DISubroutineType(cc: DW_CC_LLVM_OpenCLKernel, types: !57)
!57 = !{null, !11, !16, !19, !19, !58}
!58 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !17, size: 64, dwarfAddressSpace: 3)
!59 = !{!60, !61, !62, !63, !64, !65, !66, !68, !70}
!60 = !DILocalVariable(name: "values", arg: 1, scope: !55, file: !8, line: 15, type: !11)
!61 = !DILocalVariable(name: "counts", arg: 2, scope: !55, file: !8, line: 15, type: !16)
!62 = !DILocalVariable(name: "n", arg: 3, scope: !55, file: !8, line: 15, type: !19)
!63 = !DILocalVariable(name: "bins", arg: 4, scope: !55, file: !8, line: 15, type: !19)
!64 = !DILocalVariable(name: "own", arg: 5, scope: !55, file: !8, line: 16, type: !58)
!65 = !DILocalVariable(name: "apart", scope: !55, file: !8, line: 18, type: !26)
!66 = !DILocalVariable(name: "bin", scope: !67, file: !8, line: 20, type: !19)
!67 = distinct !DILexicalBlock(scope: !55, file: !8, line: 20, column: 5)
!68 = !DILocalVariable(name: "i", scope: !69, file: !8, line: 24, type: !19)
!69 = distinct !DILexicalBlock(scope: !55, file: !8, line: 24, column: 5)
!70 = !DILocalVariable(name: "bin", scope: !71, file: !8, line: 28, type: !19)
!71 = distinct !DILexicalBlock(scope: !55, file: !8, line: 28, column: 5)
!72 = !{i32 1, i32 1, i32 0, i32 0, i32 3}
!73 = !{!"none", !"none", !"none", !"none", !"none"}
!74 = !{!"ushort*", !"uint*", !"int", !"int", !"uint*"}
!75 = !{!"const", !"", !"", !"", !""}
!76 = !{!"values", !"counts", !"n", !"bins", !"own"}
!77 = !DILocation(line: 18, column: 23, scope: !55)
!78 = !DILocation(line: 20, column: 20, scope: !67)
!79 = !DILocation(line: 20, column: 10, scope: !67)
!80 = !DILocation(line: 0, scope: !67)
!81 = !DILocation(line: 20, column: 41, scope: !82)
!82 = distinct !DILexicalBlock(scope: !67, file: !8, line: 20, column: 5)
!83 = !DILocation(line: 20, column: 5, scope: !67)
!84 = !DILocation(line: 22, column: 5, scope: !55)
!85 = !DILocation(line: 24, column: 18, scope: !69)
!86 = !DILocation(line: 24, column: 10, scope: !69)
!87 = !DILocation(line: 21, column: 9, scope: !82)
!88 = !DILocation(line: 21, column: 18, scope: !82)
!89 = !{!90, !90, i64 0}
!90 = !{!"int", !46, i64 0}
!91 = !DILocation(line: 20, column: 53, scope: !82)
!92 = !DILocation(line: 20, column: 5, scope: !82)
!93 = distinct !{!93, !83, !94}
!94 = !DILocation(line: 21, column: 20, scope: !67)
!95 = !DILocation(line: 0, scope: !69)
!96 = !DILocation(line: 24, column: 38, scope: !97)
!97 = distinct !DILexicalBlock(scope: !69, file: !8, line: 24, column: 5)
!98 = !DILocation(line: 24, column: 5, scope: !69)
!99 = !DILocation(line: 26, column: 5, scope: !55)
!100 = !DILocation(line: 28, column: 10, scope: !71)
!101 = !DILocation(line: 25, column: 25, scope: !97)
!102 = !DILocation(line: 25, column: 35, scope: !97)
!103 = !DILocation(line: 25, column: 21, scope: !97)
!104 = !DILocation(line: 25, column: 9, scope: !97)
!105 = !DILocation(line: 24, column: 45, scope: !97)
!106 = !DILocation(line: 24, column: 5, scope: !97)
!107 = distinct !{!107, !98, !108}
!108 = !DILocation(line: 25, column: 48, scope: !69)
!109 = !DILocation(line: 0, scope: !71)
!110 = !DILocation(line: 28, column: 41, scope: !111)
!111 = distinct !DILexicalBlock(scope: !71, file: !8, line: 28, column: 5)
!112 = !DILocation(line: 28, column: 5, scope: !71)
!113 = !DILocation(line: 31, column: 1, scope: !55)
!114 = !DILocation(line: 29, column: 13, scope: !115)
!115 = distinct !DILexicalBlock(scope: !111, file: !8, line: 29, column: 13)
!116 = !DILocation(line: 29, column: 22, scope: !115)
!117 = !DILocation(line: 29, column: 13, scope: !111)
!118 = !DILocation(line: 30, column: 25, scope: !115)
!119 = !DILocation(line: 30, column: 13, scope: !115)
!120 = !DILocation(line: 28, column: 53, scope: !111)
!121 = !DILocation(line: 28, column: 5, scope: !111)
!122 = distinct !{!122, !112, !123}
!123 = !DILocation(line: 30, column: 46, scope: !71)
