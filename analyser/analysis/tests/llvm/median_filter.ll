; ModuleID = 'input.cl'
source_filename = "input.cl"
target datalayout = "e-p:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir-unknown-unknown"

@median_filter_local.tile = internal unnamed_addr addrspace(3) global [18 x [18 x <4 x i8>]] undef, align 4, !dbg !0

; Function Attrs: convergent mustprogress nofree norecurse nounwind readnone willreturn
define dso_local spir_func <4 x i8> @median3(<4 x i8> noundef %0, <4 x i8> noundef %1, <4 x i8> noundef %2) local_unnamed_addr #0 !dbg !51 {
  call void @llvm.dbg.value(metadata <4 x i8> %0, metadata !55, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !58
  call void @llvm.dbg.value(metadata <4 x i8> %1, metadata !56, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !58
  call void @llvm.dbg.value(metadata <4 x i8> %2, metadata !57, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !58
  %4 = tail call spir_func <4 x i8> @_Z3minDv4_hS_(<4 x i8> noundef %0, <4 x i8> noundef %1) #9, !dbg !59
  %5 = tail call spir_func <4 x i8> @_Z3maxDv4_hS_(<4 x i8> noundef %0, <4 x i8> noundef %1) #9, !dbg !60
  %6 = tail call spir_func <4 x i8> @_Z3minDv4_hS_(<4 x i8> noundef %5, <4 x i8> noundef %2) #9, !dbg !61
  %7 = tail call spir_func <4 x i8> @_Z3maxDv4_hS_(<4 x i8> noundef %4, <4 x i8> noundef %6) #9, !dbg !62
  ret <4 x i8> %7, !dbg !63
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.declare(metadata, metadata, metadata) #1

; Function Attrs: convergent mustprogress nofree nounwind readnone willreturn
declare !dbg !64 dso_local spir_func <4 x i8> @_Z3maxDv4_hS_(<4 x i8> noundef, <4 x i8> noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind readnone willreturn
declare !dbg !69 dso_local spir_func <4 x i8> @_Z3minDv4_hS_(<4 x i8> noundef, <4 x i8> noundef) local_unnamed_addr #2

; Function Attrs: argmemonly convergent nofree norecurse nounwind readonly
define dso_local spir_func <4 x i8> @median9([3 x <4 x i8>]* nocapture noundef readonly %0) local_unnamed_addr #3 !dbg !70 {
  call void @llvm.dbg.value(metadata [3 x <4 x i8>]* %0, metadata !77, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !89
  call void @llvm.dbg.value(metadata i32 0, metadata !82, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !90
  call void @llvm.dbg.value(metadata i32 0, metadata !82, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !90
  %2 = getelementptr inbounds [3 x <4 x i8>], [3 x <4 x i8>]* %0, i32 0, i32 0, !dbg !91
  %3 = load <4 x i8>, <4 x i8>* %2, align 4, !dbg !91, !tbaa !92
  call void @llvm.dbg.value(metadata <4 x i8> %3, metadata !84, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !95
  %4 = getelementptr inbounds [3 x <4 x i8>], [3 x <4 x i8>]* %0, i32 1, i32 0, !dbg !96
  %5 = load <4 x i8>, <4 x i8>* %4, align 4, !dbg !96, !tbaa !92
  call void @llvm.dbg.value(metadata <4 x i8> %5, metadata !87, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !95
  %6 = getelementptr inbounds [3 x <4 x i8>], [3 x <4 x i8>]* %0, i32 2, i32 0, !dbg !97
  %7 = load <4 x i8>, <4 x i8>* %6, align 4, !dbg !97, !tbaa !92
  call void @llvm.dbg.value(metadata <4 x i8> %7, metadata !88, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !95
  %8 = tail call spir_func <4 x i8> @_Z3minDv4_hS_(<4 x i8> noundef %3, <4 x i8> noundef %5) #9, !dbg !98
  %9 = tail call spir_func <4 x i8> @_Z3minDv4_hS_(<4 x i8> noundef %8, <4 x i8> noundef %7) #9, !dbg !99
  call void @llvm.dbg.value(metadata <4 x i8> %9, metadata !78, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef, DW_OP_LLVM_fragment, 0, 32)), !dbg !89
  call void @llvm.dbg.value(metadata <4 x i8> %3, metadata !55, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !100
  call void @llvm.dbg.value(metadata <4 x i8> %5, metadata !56, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !100
  call void @llvm.dbg.value(metadata <4 x i8> %7, metadata !57, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !100
  %10 = tail call spir_func <4 x i8> @_Z3maxDv4_hS_(<4 x i8> noundef %3, <4 x i8> noundef %5) #9, !dbg !102
  %11 = tail call spir_func <4 x i8> @_Z3minDv4_hS_(<4 x i8> noundef %10, <4 x i8> noundef %7) #9, !dbg !103
  %12 = tail call spir_func <4 x i8> @_Z3maxDv4_hS_(<4 x i8> noundef %8, <4 x i8> noundef %11) #9, !dbg !104
  call void @llvm.dbg.value(metadata <4 x i8> %12, metadata !80, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef, DW_OP_LLVM_fragment, 0, 32)), !dbg !89
  %13 = tail call spir_func <4 x i8> @_Z3maxDv4_hS_(<4 x i8> noundef %10, <4 x i8> noundef %7) #9, !dbg !105
  call void @llvm.dbg.value(metadata <4 x i8> %13, metadata !81, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef, DW_OP_LLVM_fragment, 0, 32)), !dbg !89
  call void @llvm.dbg.value(metadata i32 1, metadata !82, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !90
  call void @llvm.dbg.value(metadata i32 1, metadata !82, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !90
  %14 = getelementptr inbounds [3 x <4 x i8>], [3 x <4 x i8>]* %0, i32 0, i32 1, !dbg !91
  %15 = load <4 x i8>, <4 x i8>* %14, align 4, !dbg !91, !tbaa !92
  call void @llvm.dbg.value(metadata <4 x i8> %15, metadata !84, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !95
  %16 = getelementptr inbounds [3 x <4 x i8>], [3 x <4 x i8>]* %0, i32 1, i32 1, !dbg !96
  %17 = load <4 x i8>, <4 x i8>* %16, align 4, !dbg !96, !tbaa !92
  call void @llvm.dbg.value(metadata <4 x i8> %17, metadata !87, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !95
  %18 = getelementptr inbounds [3 x <4 x i8>], [3 x <4 x i8>]* %0, i32 2, i32 1, !dbg !97
  %19 = load <4 x i8>, <4 x i8>* %18, align 4, !dbg !97, !tbaa !92
  call void @llvm.dbg.value(metadata <4 x i8> %19, metadata !88, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !95
  %20 = tail call spir_func <4 x i8> @_Z3minDv4_hS_(<4 x i8> noundef %15, <4 x i8> noundef %17) #9, !dbg !98
  %21 = tail call spir_func <4 x i8> @_Z3minDv4_hS_(<4 x i8> noundef %20, <4 x i8> noundef %19) #9, !dbg !99
  call void @llvm.dbg.value(metadata <4 x i8> %21, metadata !78, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef, DW_OP_LLVM_fragment, 32, 32)), !dbg !89
  call void @llvm.dbg.value(metadata <4 x i8> %15, metadata !55, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !100
  call void @llvm.dbg.value(metadata <4 x i8> %17, metadata !56, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !100
  call void @llvm.dbg.value(metadata <4 x i8> %19, metadata !57, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !100
  %22 = tail call spir_func <4 x i8> @_Z3maxDv4_hS_(<4 x i8> noundef %15, <4 x i8> noundef %17) #9, !dbg !102
  %23 = tail call spir_func <4 x i8> @_Z3minDv4_hS_(<4 x i8> noundef %22, <4 x i8> noundef %19) #9, !dbg !103
  %24 = tail call spir_func <4 x i8> @_Z3maxDv4_hS_(<4 x i8> noundef %20, <4 x i8> noundef %23) #9, !dbg !104
  call void @llvm.dbg.value(metadata <4 x i8> %24, metadata !80, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef, DW_OP_LLVM_fragment, 32, 32)), !dbg !89
  %25 = tail call spir_func <4 x i8> @_Z3maxDv4_hS_(<4 x i8> noundef %22, <4 x i8> noundef %19) #9, !dbg !105
  call void @llvm.dbg.value(metadata <4 x i8> %25, metadata !81, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef, DW_OP_LLVM_fragment, 32, 32)), !dbg !89
  call void @llvm.dbg.value(metadata i32 2, metadata !82, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !90
  call void @llvm.dbg.value(metadata i32 2, metadata !82, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !90
  %26 = getelementptr inbounds [3 x <4 x i8>], [3 x <4 x i8>]* %0, i32 0, i32 2, !dbg !91
  %27 = load <4 x i8>, <4 x i8>* %26, align 4, !dbg !91, !tbaa !92
  call void @llvm.dbg.value(metadata <4 x i8> %27, metadata !84, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !95
  %28 = getelementptr inbounds [3 x <4 x i8>], [3 x <4 x i8>]* %0, i32 1, i32 2, !dbg !96
  %29 = load <4 x i8>, <4 x i8>* %28, align 4, !dbg !96, !tbaa !92
  call void @llvm.dbg.value(metadata <4 x i8> %29, metadata !87, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !95
  %30 = getelementptr inbounds [3 x <4 x i8>], [3 x <4 x i8>]* %0, i32 2, i32 2, !dbg !97
  %31 = load <4 x i8>, <4 x i8>* %30, align 4, !dbg !97, !tbaa !92
  call void @llvm.dbg.value(metadata <4 x i8> %31, metadata !88, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !95
  %32 = tail call spir_func <4 x i8> @_Z3minDv4_hS_(<4 x i8> noundef %27, <4 x i8> noundef %29) #9, !dbg !98
  %33 = tail call spir_func <4 x i8> @_Z3minDv4_hS_(<4 x i8> noundef %32, <4 x i8> noundef %31) #9, !dbg !99
  call void @llvm.dbg.value(metadata <4 x i8> %33, metadata !78, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef, DW_OP_LLVM_fragment, 64, 32)), !dbg !89
  call void @llvm.dbg.value(metadata <4 x i8> %27, metadata !55, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !100
  call void @llvm.dbg.value(metadata <4 x i8> %29, metadata !56, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !100
  call void @llvm.dbg.value(metadata <4 x i8> %31, metadata !57, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !100
  %34 = tail call spir_func <4 x i8> @_Z3maxDv4_hS_(<4 x i8> noundef %27, <4 x i8> noundef %29) #9, !dbg !102
  %35 = tail call spir_func <4 x i8> @_Z3minDv4_hS_(<4 x i8> noundef %34, <4 x i8> noundef %31) #9, !dbg !103
  %36 = tail call spir_func <4 x i8> @_Z3maxDv4_hS_(<4 x i8> noundef %32, <4 x i8> noundef %35) #9, !dbg !104
  call void @llvm.dbg.value(metadata <4 x i8> %36, metadata !80, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef, DW_OP_LLVM_fragment, 64, 32)), !dbg !89
  %37 = tail call spir_func <4 x i8> @_Z3maxDv4_hS_(<4 x i8> noundef %34, <4 x i8> noundef %31) #9, !dbg !105
  call void @llvm.dbg.value(metadata <4 x i8> %37, metadata !81, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef, DW_OP_LLVM_fragment, 64, 32)), !dbg !89
  call void @llvm.dbg.value(metadata i32 3, metadata !82, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !90
  %38 = tail call spir_func <4 x i8> @_Z3maxDv4_hS_(<4 x i8> noundef %9, <4 x i8> noundef %21) #9, !dbg !106
  %39 = tail call spir_func <4 x i8> @_Z3maxDv4_hS_(<4 x i8> noundef %38, <4 x i8> noundef %33) #9, !dbg !107
  call void @llvm.dbg.value(metadata <4 x i8> %12, metadata !55, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !108
  call void @llvm.dbg.value(metadata <4 x i8> %24, metadata !56, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !108
  call void @llvm.dbg.value(metadata <4 x i8> %36, metadata !57, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !108
  %40 = tail call spir_func <4 x i8> @_Z3minDv4_hS_(<4 x i8> noundef %12, <4 x i8> noundef %24) #9, !dbg !110
  %41 = tail call spir_func <4 x i8> @_Z3maxDv4_hS_(<4 x i8> noundef %12, <4 x i8> noundef %24) #9, !dbg !111
  %42 = tail call spir_func <4 x i8> @_Z3minDv4_hS_(<4 x i8> noundef %41, <4 x i8> noundef %36) #9, !dbg !112
  %43 = tail call spir_func <4 x i8> @_Z3maxDv4_hS_(<4 x i8> noundef %40, <4 x i8> noundef %42) #9, !dbg !113
  %44 = tail call spir_func <4 x i8> @_Z3minDv4_hS_(<4 x i8> noundef %13, <4 x i8> noundef %25) #9, !dbg !114
  %45 = tail call spir_func <4 x i8> @_Z3minDv4_hS_(<4 x i8> noundef %44, <4 x i8> noundef %37) #9, !dbg !115
  call void @llvm.dbg.value(metadata <4 x i8> %39, metadata !55, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !116
  call void @llvm.dbg.value(metadata <4 x i8> %43, metadata !56, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !116
  call void @llvm.dbg.value(metadata <4 x i8> %45, metadata !57, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !116
  %46 = tail call spir_func <4 x i8> @_Z3minDv4_hS_(<4 x i8> noundef %39, <4 x i8> noundef %43) #9, !dbg !118
  %47 = tail call spir_func <4 x i8> @_Z3maxDv4_hS_(<4 x i8> noundef %39, <4 x i8> noundef %43) #9, !dbg !119
  %48 = tail call spir_func <4 x i8> @_Z3minDv4_hS_(<4 x i8> noundef %47, <4 x i8> noundef %45) #9, !dbg !120
  %49 = tail call spir_func <4 x i8> @_Z3maxDv4_hS_(<4 x i8> noundef %46, <4 x i8> noundef %48) #9, !dbg !121
  ret <4 x i8> %49, !dbg !122
}

; Function Attrs: argmemonly mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.lifetime.start.p0i8(i64 immarg, i8* nocapture) #4

; Function Attrs: argmemonly mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.lifetime.end.p0i8(i64 immarg, i8* nocapture) #4

; Function Attrs: argmemonly convergent nofree norecurse nounwind
define dso_local spir_kernel void @median_filter_global(<4 x i8> addrspace(1)* nocapture noundef readonly align 4 %0, <4 x i8> addrspace(1)* nocapture noundef writeonly align 4 %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #5 !dbg !123 !kernel_arg_addr_space !137 !kernel_arg_access_qual !138 !kernel_arg_type !139 !kernel_arg_base_type !140 !kernel_arg_type_qual !141 !reqd_work_group_size !142 {
  %5 = alloca [3 x [3 x <4 x i8>]], align 4
  call void @llvm.dbg.value(metadata <4 x i8> addrspace(1)* %0, metadata !125, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !143
  call void @llvm.dbg.value(metadata <4 x i8> addrspace(1)* %1, metadata !126, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !143
  call void @llvm.dbg.value(metadata i32 %2, metadata !127, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !143
  call void @llvm.dbg.value(metadata i32 %3, metadata !128, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !143
  %6 = tail call spir_func i32 @_Z13get_global_idj(i32 noundef 0) #9, !dbg !144
  call void @llvm.dbg.value(metadata i32 %6, metadata !129, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !143
  %7 = tail call spir_func i32 @_Z13get_global_idj(i32 noundef 1) #9, !dbg !145
  call void @llvm.dbg.value(metadata i32 %7, metadata !130, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !143
  %8 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 0, i32 0, i32 0, !dbg !146
  call void @llvm.lifetime.start.p0i8(i64 36, i8* nonnull %8) #10, !dbg !146
  call void @llvm.dbg.declare(metadata [3 x [3 x <4 x i8>]]* %5, metadata !131, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !147
  call void @llvm.dbg.value(metadata i32 0, metadata !132, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !148
  %9 = add i32 %7, -1
  %10 = add nsw i32 %3, -1
  %11 = add i32 %6, -1
  %12 = add nsw i32 %2, -1
  call void @llvm.dbg.value(metadata i32 0, metadata !132, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !148
  call void @llvm.dbg.value(metadata i32 0, metadata !132, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !148
  call void @llvm.dbg.value(metadata i32 0, metadata !134, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !149
  call void @llvm.dbg.value(metadata i32 0, metadata !134, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !149
  %13 = tail call spir_func i32 @_Z5clampiii(i32 noundef %9, i32 noundef 0, i32 noundef %10) #9, !dbg !150
  %14 = mul nsw i32 %13, %2, !dbg !152
  %15 = tail call spir_func i32 @_Z5clampiii(i32 noundef %11, i32 noundef 0, i32 noundef %12) #9, !dbg !153
  %16 = add nsw i32 %14, %15, !dbg !154
  %17 = getelementptr inbounds <4 x i8>, <4 x i8> addrspace(1)* %0, i32 %16, !dbg !155
  %18 = load <4 x i8>, <4 x i8> addrspace(1)* %17, align 4, !dbg !155, !tbaa !92
  %19 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 0, i32 0, !dbg !156
  store <4 x i8> %18, <4 x i8>* %19, align 4, !dbg !157, !tbaa !92
  call void @llvm.dbg.value(metadata i32 1, metadata !134, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !149
  call void @llvm.dbg.value(metadata i32 1, metadata !134, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !149
  %20 = tail call spir_func i32 @_Z5clampiii(i32 noundef %6, i32 noundef 0, i32 noundef %12) #9, !dbg !153
  %21 = add nsw i32 %14, %20, !dbg !154
  %22 = getelementptr inbounds <4 x i8>, <4 x i8> addrspace(1)* %0, i32 %21, !dbg !155
  %23 = load <4 x i8>, <4 x i8> addrspace(1)* %22, align 4, !dbg !155, !tbaa !92
  %24 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 0, i32 1, !dbg !156
  store <4 x i8> %23, <4 x i8>* %24, align 4, !dbg !157, !tbaa !92
  call void @llvm.dbg.value(metadata i32 2, metadata !134, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !149
  call void @llvm.dbg.value(metadata i32 2, metadata !134, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !149
  %25 = add i32 %6, 1, !dbg !158
  %26 = tail call spir_func i32 @_Z5clampiii(i32 noundef %25, i32 noundef 0, i32 noundef %12) #9, !dbg !153
  %27 = add nsw i32 %14, %26, !dbg !154
  %28 = getelementptr inbounds <4 x i8>, <4 x i8> addrspace(1)* %0, i32 %27, !dbg !155
  %29 = load <4 x i8>, <4 x i8> addrspace(1)* %28, align 4, !dbg !155, !tbaa !92
  %30 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 0, i32 2, !dbg !156
  store <4 x i8> %29, <4 x i8>* %30, align 4, !dbg !157, !tbaa !92
  call void @llvm.dbg.value(metadata i32 3, metadata !134, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !149
  call void @llvm.dbg.value(metadata i32 1, metadata !132, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !148
  call void @llvm.dbg.value(metadata i32 1, metadata !132, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !148
  call void @llvm.dbg.value(metadata i32 0, metadata !134, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !149
  call void @llvm.dbg.value(metadata i32 0, metadata !134, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !149
  %31 = tail call spir_func i32 @_Z5clampiii(i32 noundef %7, i32 noundef 0, i32 noundef %10) #9, !dbg !150
  %32 = mul nsw i32 %31, %2, !dbg !152
  %33 = add nsw i32 %32, %15, !dbg !154
  %34 = getelementptr inbounds <4 x i8>, <4 x i8> addrspace(1)* %0, i32 %33, !dbg !155
  %35 = load <4 x i8>, <4 x i8> addrspace(1)* %34, align 4, !dbg !155, !tbaa !92
  %36 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 1, i32 0, !dbg !156
  store <4 x i8> %35, <4 x i8>* %36, align 4, !dbg !157, !tbaa !92
  call void @llvm.dbg.value(metadata i32 1, metadata !134, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !149
  call void @llvm.dbg.value(metadata i32 1, metadata !134, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !149
  %37 = add nsw i32 %32, %20, !dbg !154
  %38 = getelementptr inbounds <4 x i8>, <4 x i8> addrspace(1)* %0, i32 %37, !dbg !155
  %39 = load <4 x i8>, <4 x i8> addrspace(1)* %38, align 4, !dbg !155, !tbaa !92
  %40 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 1, i32 1, !dbg !156
  store <4 x i8> %39, <4 x i8>* %40, align 4, !dbg !157, !tbaa !92
  call void @llvm.dbg.value(metadata i32 2, metadata !134, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !149
  call void @llvm.dbg.value(metadata i32 2, metadata !134, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !149
  %41 = add nsw i32 %32, %26, !dbg !154
  %42 = getelementptr inbounds <4 x i8>, <4 x i8> addrspace(1)* %0, i32 %41, !dbg !155
  %43 = load <4 x i8>, <4 x i8> addrspace(1)* %42, align 4, !dbg !155, !tbaa !92
  %44 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 1, i32 2, !dbg !156
  store <4 x i8> %43, <4 x i8>* %44, align 4, !dbg !157, !tbaa !92
  call void @llvm.dbg.value(metadata i32 3, metadata !134, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !149
  call void @llvm.dbg.value(metadata i32 2, metadata !132, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !148
  call void @llvm.dbg.value(metadata i32 2, metadata !132, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !148
  %45 = add i32 %7, 1
  call void @llvm.dbg.value(metadata i32 0, metadata !134, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !149
  call void @llvm.dbg.value(metadata i32 0, metadata !134, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !149
  %46 = tail call spir_func i32 @_Z5clampiii(i32 noundef %45, i32 noundef 0, i32 noundef %10) #9, !dbg !150
  %47 = mul nsw i32 %46, %2, !dbg !152
  %48 = add nsw i32 %47, %15, !dbg !154
  %49 = getelementptr inbounds <4 x i8>, <4 x i8> addrspace(1)* %0, i32 %48, !dbg !155
  %50 = load <4 x i8>, <4 x i8> addrspace(1)* %49, align 4, !dbg !155, !tbaa !92
  %51 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 2, i32 0, !dbg !156
  store <4 x i8> %50, <4 x i8>* %51, align 4, !dbg !157, !tbaa !92
  call void @llvm.dbg.value(metadata i32 1, metadata !134, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !149
  call void @llvm.dbg.value(metadata i32 1, metadata !134, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !149
  %52 = add nsw i32 %47, %20, !dbg !154
  %53 = getelementptr inbounds <4 x i8>, <4 x i8> addrspace(1)* %0, i32 %52, !dbg !155
  %54 = load <4 x i8>, <4 x i8> addrspace(1)* %53, align 4, !dbg !155, !tbaa !92
  %55 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 2, i32 1, !dbg !156
  store <4 x i8> %54, <4 x i8>* %55, align 4, !dbg !157, !tbaa !92
  call void @llvm.dbg.value(metadata i32 2, metadata !134, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !149
  call void @llvm.dbg.value(metadata i32 2, metadata !134, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !149
  %56 = add nsw i32 %47, %26, !dbg !154
  %57 = getelementptr inbounds <4 x i8>, <4 x i8> addrspace(1)* %0, i32 %56, !dbg !155
  %58 = load <4 x i8>, <4 x i8> addrspace(1)* %57, align 4, !dbg !155, !tbaa !92
  %59 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 2, i32 2, !dbg !156
  store <4 x i8> %58, <4 x i8>* %59, align 4, !dbg !157, !tbaa !92
  call void @llvm.dbg.value(metadata i32 3, metadata !134, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !149
  call void @llvm.dbg.value(metadata i32 3, metadata !132, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !148
  %60 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 0, !dbg !159
  %61 = call spir_func <4 x i8> @median9([3 x <4 x i8>]* noundef nonnull %60) #11, !dbg !160
  %62 = mul nsw i32 %7, %2, !dbg !161
  %63 = add nsw i32 %62, %6, !dbg !162
  %64 = getelementptr inbounds <4 x i8>, <4 x i8> addrspace(1)* %1, i32 %63, !dbg !163
  store <4 x i8> %61, <4 x i8> addrspace(1)* %64, align 4, !dbg !164, !tbaa !92
  call void @llvm.lifetime.end.p0i8(i64 36, i8* nonnull %8) #10, !dbg !165
  ret void, !dbg !165
}

; Function Attrs: convergent mustprogress nofree nounwind readnone willreturn
declare !dbg !166 dso_local spir_func i32 @_Z13get_global_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind readnone willreturn
declare !dbg !170 dso_local spir_func i32 @_Z5clampiii(i32 noundef, i32 noundef, i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent norecurse nounwind
define dso_local spir_kernel void @median_filter_local(<4 x i8> addrspace(1)* nocapture noundef readonly align 4 %0, <4 x i8> addrspace(1)* nocapture noundef writeonly align 4 %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #6 !dbg !2 !kernel_arg_addr_space !137 !kernel_arg_access_qual !138 !kernel_arg_type !139 !kernel_arg_base_type !140 !kernel_arg_type_qual !141 !reqd_work_group_size !142 {
  %5 = alloca [3 x [3 x <4 x i8>]], align 4
  call void @llvm.dbg.value(metadata <4 x i8> addrspace(1)* %0, metadata !21, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !173
  call void @llvm.dbg.value(metadata <4 x i8> addrspace(1)* %1, metadata !22, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !173
  call void @llvm.dbg.value(metadata i32 %2, metadata !23, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !173
  call void @llvm.dbg.value(metadata i32 %3, metadata !24, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !173
  %6 = tail call spir_func i32 @_Z12get_group_idj(i32 noundef 0) #9, !dbg !174
  %7 = shl i32 %6, 4, !dbg !175
  %8 = add i32 %7, -1, !dbg !176
  call void @llvm.dbg.value(metadata i32 %8, metadata !25, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !173
  %9 = tail call spir_func i32 @_Z12get_group_idj(i32 noundef 1) #9, !dbg !177
  %10 = shl i32 %9, 4, !dbg !178
  %11 = add i32 %10, -1, !dbg !179
  call void @llvm.dbg.value(metadata i32 %11, metadata !27, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !173
  %12 = tail call spir_func i32 @_Z12get_local_idj(i32 noundef 1) #9, !dbg !180
  call void @llvm.dbg.value(metadata i32 %12, metadata !28, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !181
  %13 = icmp slt i32 %12, 18, !dbg !182
  br i1 %13, label %14, label %17, !dbg !183

14:                                               ; preds = %4
  %15 = add nsw i32 %3, -1
  %16 = add nsw i32 %2, -1
  br label %58, !dbg !183

17:                                               ; preds = %64, %4
  tail call spir_func void @_Z7barrierj(i32 noundef 1) #12, !dbg !184
  %18 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 0, i32 0, i32 0, !dbg !185
  call void @llvm.lifetime.start.p0i8(i64 36, i8* nonnull %18) #10, !dbg !185
  call void @llvm.dbg.declare(metadata [3 x [3 x <4 x i8>]]* %5, metadata !33, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !186
  call void @llvm.dbg.value(metadata i32 0, metadata !37, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !187
  call void @llvm.dbg.value(metadata i32 0, metadata !39, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !188
  %19 = tail call spir_func i32 @_Z12get_local_idj(i32 noundef 0) #9, !dbg !189
  %20 = getelementptr inbounds [18 x [18 x <4 x i8>]], [18 x [18 x <4 x i8>]] addrspace(3)* @median_filter_local.tile, i32 0, i32 %12, i32 %19, !dbg !191
  %21 = load <4 x i8>, <4 x i8> addrspace(3)* %20, align 4, !dbg !191, !tbaa !92
  %22 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 0, i32 0, !dbg !192
  store <4 x i8> %21, <4 x i8>* %22, align 4, !dbg !193, !tbaa !92
  call void @llvm.dbg.value(metadata i32 1, metadata !39, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !188
  %23 = add i32 %19, 1, !dbg !194
  %24 = getelementptr inbounds [18 x [18 x <4 x i8>]], [18 x [18 x <4 x i8>]] addrspace(3)* @median_filter_local.tile, i32 0, i32 %12, i32 %23, !dbg !191
  %25 = load <4 x i8>, <4 x i8> addrspace(3)* %24, align 4, !dbg !191, !tbaa !92
  %26 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 0, i32 1, !dbg !192
  store <4 x i8> %25, <4 x i8>* %26, align 4, !dbg !193, !tbaa !92
  call void @llvm.dbg.value(metadata i32 2, metadata !39, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !188
  %27 = add i32 %19, 2, !dbg !194
  %28 = getelementptr inbounds [18 x [18 x <4 x i8>]], [18 x [18 x <4 x i8>]] addrspace(3)* @median_filter_local.tile, i32 0, i32 %12, i32 %27, !dbg !191
  %29 = load <4 x i8>, <4 x i8> addrspace(3)* %28, align 4, !dbg !191, !tbaa !92
  %30 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 0, i32 2, !dbg !192
  store <4 x i8> %29, <4 x i8>* %30, align 4, !dbg !193, !tbaa !92
  call void @llvm.dbg.value(metadata i32 3, metadata !39, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !188
  call void @llvm.dbg.value(metadata i32 1, metadata !37, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !187
  %31 = add i32 %12, 1
  call void @llvm.dbg.value(metadata i32 0, metadata !39, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !188
  %32 = getelementptr inbounds [18 x [18 x <4 x i8>]], [18 x [18 x <4 x i8>]] addrspace(3)* @median_filter_local.tile, i32 0, i32 %31, i32 %19, !dbg !191
  %33 = load <4 x i8>, <4 x i8> addrspace(3)* %32, align 4, !dbg !191, !tbaa !92
  %34 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 1, i32 0, !dbg !192
  store <4 x i8> %33, <4 x i8>* %34, align 4, !dbg !193, !tbaa !92
  call void @llvm.dbg.value(metadata i32 1, metadata !39, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !188
  %35 = getelementptr inbounds [18 x [18 x <4 x i8>]], [18 x [18 x <4 x i8>]] addrspace(3)* @median_filter_local.tile, i32 0, i32 %31, i32 %23, !dbg !191
  %36 = load <4 x i8>, <4 x i8> addrspace(3)* %35, align 4, !dbg !191, !tbaa !92
  %37 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 1, i32 1, !dbg !192
  store <4 x i8> %36, <4 x i8>* %37, align 4, !dbg !193, !tbaa !92
  call void @llvm.dbg.value(metadata i32 2, metadata !39, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !188
  %38 = getelementptr inbounds [18 x [18 x <4 x i8>]], [18 x [18 x <4 x i8>]] addrspace(3)* @median_filter_local.tile, i32 0, i32 %31, i32 %27, !dbg !191
  %39 = load <4 x i8>, <4 x i8> addrspace(3)* %38, align 4, !dbg !191, !tbaa !92
  %40 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 1, i32 2, !dbg !192
  store <4 x i8> %39, <4 x i8>* %40, align 4, !dbg !193, !tbaa !92
  call void @llvm.dbg.value(metadata i32 3, metadata !39, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !188
  call void @llvm.dbg.value(metadata i32 2, metadata !37, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !187
  %41 = add i32 %12, 2
  call void @llvm.dbg.value(metadata i32 0, metadata !39, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !188
  %42 = getelementptr inbounds [18 x [18 x <4 x i8>]], [18 x [18 x <4 x i8>]] addrspace(3)* @median_filter_local.tile, i32 0, i32 %41, i32 %19, !dbg !191
  %43 = load <4 x i8>, <4 x i8> addrspace(3)* %42, align 4, !dbg !191, !tbaa !92
  %44 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 2, i32 0, !dbg !192
  store <4 x i8> %43, <4 x i8>* %44, align 4, !dbg !193, !tbaa !92
  call void @llvm.dbg.value(metadata i32 1, metadata !39, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !188
  %45 = getelementptr inbounds [18 x [18 x <4 x i8>]], [18 x [18 x <4 x i8>]] addrspace(3)* @median_filter_local.tile, i32 0, i32 %41, i32 %23, !dbg !191
  %46 = load <4 x i8>, <4 x i8> addrspace(3)* %45, align 4, !dbg !191, !tbaa !92
  %47 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 2, i32 1, !dbg !192
  store <4 x i8> %46, <4 x i8>* %47, align 4, !dbg !193, !tbaa !92
  call void @llvm.dbg.value(metadata i32 2, metadata !39, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !188
  %48 = getelementptr inbounds [18 x [18 x <4 x i8>]], [18 x [18 x <4 x i8>]] addrspace(3)* @median_filter_local.tile, i32 0, i32 %41, i32 %27, !dbg !191
  %49 = load <4 x i8>, <4 x i8> addrspace(3)* %48, align 4, !dbg !191, !tbaa !92
  %50 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 2, i32 2, !dbg !192
  store <4 x i8> %49, <4 x i8>* %50, align 4, !dbg !193, !tbaa !92
  call void @llvm.dbg.value(metadata i32 3, metadata !39, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !188
  call void @llvm.dbg.value(metadata i32 3, metadata !37, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !187
  %51 = getelementptr inbounds [3 x [3 x <4 x i8>]], [3 x [3 x <4 x i8>]]* %5, i32 0, i32 0, !dbg !195
  %52 = call spir_func <4 x i8> @median9([3 x <4 x i8>]* noundef nonnull %51) #11, !dbg !196
  %53 = tail call spir_func i32 @_Z13get_global_idj(i32 noundef 1) #9, !dbg !197
  %54 = mul i32 %53, %2, !dbg !198
  %55 = tail call spir_func i32 @_Z13get_global_idj(i32 noundef 0) #9, !dbg !199
  %56 = add i32 %54, %55, !dbg !200
  %57 = getelementptr inbounds <4 x i8>, <4 x i8> addrspace(1)* %1, i32 %56, !dbg !201
  store <4 x i8> %52, <4 x i8> addrspace(1)* %57, align 4, !dbg !202, !tbaa !92
  call void @llvm.lifetime.end.p0i8(i64 36, i8* nonnull %18) #10, !dbg !203
  ret void, !dbg !203

58:                                               ; preds = %14, %64
  %59 = phi i32 [ %12, %14 ], [ %65, %64 ]
  call void @llvm.dbg.value(metadata i32 %59, metadata !28, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !181
  %60 = tail call spir_func i32 @_Z12get_local_idj(i32 noundef 0) #9, !dbg !204
  call void @llvm.dbg.value(metadata i32 %60, metadata !30, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !205
  %61 = icmp slt i32 %60, 18, !dbg !206
  br i1 %61, label %62, label %64, !dbg !208

62:                                               ; preds = %58
  %63 = add nsw i32 %11, %59
  br label %67, !dbg !208

64:                                               ; preds = %67, %58
  %65 = add nsw i32 %59, 16, !dbg !209
  call void @llvm.dbg.value(metadata i32 %65, metadata !28, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !181
  %66 = icmp slt i32 %59, 2, !dbg !182
  br i1 %66, label %58, label %17, !dbg !183, !llvm.loop !210

67:                                               ; preds = %62, %67
  %68 = phi i32 [ %60, %62 ], [ %77, %67 ]
  call void @llvm.dbg.value(metadata i32 %68, metadata !30, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !205
  %69 = tail call spir_func i32 @_Z5clampiii(i32 noundef %63, i32 noundef 0, i32 noundef %15) #9, !dbg !212
  %70 = mul nsw i32 %69, %2, !dbg !213
  %71 = add nsw i32 %8, %68, !dbg !214
  %72 = tail call spir_func i32 @_Z5clampiii(i32 noundef %71, i32 noundef 0, i32 noundef %16) #9, !dbg !215
  %73 = add nsw i32 %70, %72, !dbg !216
  %74 = getelementptr inbounds <4 x i8>, <4 x i8> addrspace(1)* %0, i32 %73, !dbg !217
  %75 = load <4 x i8>, <4 x i8> addrspace(1)* %74, align 4, !dbg !217, !tbaa !92
  %76 = getelementptr inbounds [18 x [18 x <4 x i8>]], [18 x [18 x <4 x i8>]] addrspace(3)* @median_filter_local.tile, i32 0, i32 %59, i32 %68, !dbg !218
  store <4 x i8> %75, <4 x i8> addrspace(3)* %76, align 4, !dbg !219, !tbaa !92
  %77 = add nsw i32 %68, 16, !dbg !220
  call void @llvm.dbg.value(metadata i32 %77, metadata !30, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !205
  %78 = icmp slt i32 %68, 2, !dbg !206
  br i1 %78, label %67, label %64, !dbg !208, !llvm.loop !221
}

; Function Attrs: convergent mustprogress nofree nounwind readnone willreturn
declare !dbg !223 dso_local spir_func i32 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent mustprogress nofree nounwind readnone willreturn
declare !dbg !224 dso_local spir_func i32 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #2

; Function Attrs: convergent
declare !dbg !225 dso_local spir_func void @_Z7barrierj(i32 noundef) local_unnamed_addr #7

; Function Attrs: nocallback nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.value(metadata, metadata, metadata) #8

attributes #0 = { convergent mustprogress nofree norecurse nounwind readnone willreturn "frame-pointer"="all" "min-legal-vector-width"="32" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind readnone speculatable willreturn }
attributes #2 = { convergent mustprogress nofree nounwind readnone willreturn "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #3 = { argmemonly convergent nofree norecurse nounwind readonly "frame-pointer"="all" "min-legal-vector-width"="32" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #4 = { argmemonly mustprogress nocallback nofree nosync nounwind willreturn }
attributes #5 = { argmemonly convergent nofree norecurse nounwind "frame-pointer"="all" "min-legal-vector-width"="32" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="true" }
attributes #6 = { convergent norecurse nounwind "frame-pointer"="all" "min-legal-vector-width"="32" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="true" }
attributes #7 = { convergent "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #8 = { nocallback nofree nosync nounwind readnone speculatable willreturn }
attributes #9 = { convergent nounwind readnone willreturn }
attributes #10 = { nounwind }
attributes #11 = { convergent }
attributes #12 = { convergent nounwind }

!llvm.dbg.cu = !{!17}
!llvm.module.flags = !{!45, !46, !47, !48}
!opencl.ocl.version = !{!49}
!opencl.spir.version = !{!49}
!llvm.ident = !{!50}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression(DW_OP_constu, 3, DW_OP_swap, DW_OP_xderef))
!1 = distinct !DIGlobalVariable(name: "tile", scope: !2, file: !3, line: 44, type: !42, isLocal: true, isDefinition: true)
!2 = distinct !DISubprogram(name: "median_filter_local", scope: !3, file: !3, line: 42, type: !4, scopeLine: 43, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !17, retainedNodes: !20)
!3 = !DIFile(filename: "median_filter.cl", directory: ".", checksumkind: CSK_MD5, checksum: "03b00e2c37a37afdb20dcdfa9420c709")
!4 = !DISubroutineType(cc: DW_CC_LLVM_OpenCLKernel, types: !5)
!5 = !{null, !6, !15, !16, !16}
!6 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !7, size: 32, dwarfAddressSpace: 1)
!7 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !8)
!8 = !DIDerivedType(tag: DW_TAG_typedef, name: "uchar4", file: !9, line: 150, baseType: !10)
!9 = !DIFile(filename: "opencl-c-base.h", directory: ".", checksumkind: CSK_MD5, checksum: "aaeb1e16a78b41afe42f126f38dba995")
!10 = !DICompositeType(tag: DW_TAG_array_type, baseType: !11, size: 32, flags: DIFlagVector, elements: !13)
!11 = !DIDerivedType(tag: DW_TAG_typedef, name: "uchar", file: !9, line: 95, baseType: !12)
!12 = !DIBasicType(name: "unsigned char", size: 8, encoding: DW_ATE_unsigned_char)
!13 = !{!14}
!14 = !DISubrange(count: 4)
!15 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !8, size: 32, dwarfAddressSpace: 1)
!16 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!17 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !18, producer: "Debian clang version 15.0.6", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, globals: !19, splitDebugInlining: false, nameTableKind: None)
!18 = !DIFile(filename: "median_filter.cl", directory: ".", checksumkind: CSK_MD5, checksum: "03b00e2c37a37afdb20dcdfa9420c709")
!19 = !{!0}
!20 = !{!21, !22, !23, !24, !25, !27, !28, !30, !33, !37, !39}
!21 = !DILocalVariable(name: "image", arg: 1, scope: !2, file: !3, line: 42, type: !6)
!22 = !DILocalVariable(name: "filtered", arg: 2, scope: !2, file: !3, line: 42, type: !15)
!23 = !DILocalVariable(name: "width", arg: 3, scope: !2, file: !3, line: 42, type: !16)
!24 = !DILocalVariable(name: "height", arg: 4, scope: !2, file: !3, line: 42, type: !16)
!25 = !DILocalVariable(name: "left", scope: !2, file: !3, line: 45, type: !26)
!26 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !16)
!27 = !DILocalVariable(name: "top", scope: !2, file: !3, line: 46, type: !26)
!28 = !DILocalVariable(name: "y", scope: !29, file: !3, line: 48, type: !16)
!29 = distinct !DILexicalBlock(scope: !2, file: !3, line: 48, column: 5)
!30 = !DILocalVariable(name: "x", scope: !31, file: !3, line: 49, type: !16)
!31 = distinct !DILexicalBlock(scope: !32, file: !3, line: 49, column: 9)
!32 = distinct !DILexicalBlock(scope: !29, file: !3, line: 48, column: 5)
!33 = !DILocalVariable(name: "window", scope: !2, file: !3, line: 53, type: !34)
!34 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 288, elements: !35)
!35 = !{!36, !36}
!36 = !DISubrange(count: 3)
!37 = !DILocalVariable(name: "y", scope: !38, file: !3, line: 54, type: !16)
!38 = distinct !DILexicalBlock(scope: !2, file: !3, line: 54, column: 5)
!39 = !DILocalVariable(name: "x", scope: !40, file: !3, line: 55, type: !16)
!40 = distinct !DILexicalBlock(scope: !41, file: !3, line: 55, column: 9)
!41 = distinct !DILexicalBlock(scope: !38, file: !3, line: 54, column: 5)
!42 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 10368, elements: !43)
!43 = !{!44, !44}
!44 = !DISubrange(count: 18)
!45 = !{i32 7, !"Dwarf Version", i32 5}
!46 = !{i32 2, !"Debug Info Version", i32 3}
!47 = !{i32 1, !"wchar_size", i32 4}
!48 = !{i32 7, !"frame-pointer", i32 2}
!49 = !{i32 1, i32 2}
!50 = !{!"Debian clang version 15.0.6"}
!51 = distinct !DISubprogram(name: "median3", scope: !3, file: !3, line: 5, type: !52, scopeLine: 6, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !17, retainedNodes: !54)
!52 = !DISubroutineType(cc: DW_CC_LLVM_SpirFunction, types: !53)
!53 = !{!8, !8, !8, !8}
!54 = !{!55, !56, !57}
!55 = !DILocalVariable(name: "a", arg: 1, scope: !51, file: !3, line: 5, type: !8)
!56 = !DILocalVariable(name: "b", arg: 2, scope: !51, file: !3, line: 5, type: !8)
!57 = !DILocalVariable(name: "c", arg: 3, scope: !51, file: !3, line: 5, type: !8)
!58 = !DILocation(line: 0, scope: !51)
!59 = !DILocation(line: 7, column: 16, scope: !51)
!60 = !DILocation(line: 7, column: 31, scope: !51)
!61 = !DILocation(line: 7, column: 27, scope: !51)
!62 = !DILocation(line: 7, column: 12, scope: !51)
!63 = !DILocation(line: 7, column: 5, scope: !51)
!64 = !DISubprogram(name: "max", linkageName: "_Z3maxDv4_hS_", scope: !3, file: !3, line: 7, type: !65, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !68)
!65 = !DISubroutineType(cc: DW_CC_LLVM_SpirFunction, types: !66)
!66 = !{!67, !67, !67}
!67 = !DICompositeType(tag: DW_TAG_array_type, baseType: !12, size: 32, flags: DIFlagVector, elements: !13)
!68 = !{}
!69 = !DISubprogram(name: "min", linkageName: "_Z3minDv4_hS_", scope: !3, file: !3, line: 7, type: !65, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !68)
!70 = distinct !DISubprogram(name: "median9", scope: !3, file: !3, line: 12, type: !71, scopeLine: 13, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !17, retainedNodes: !76)
!71 = !DISubroutineType(cc: DW_CC_LLVM_SpirFunction, types: !72)
!72 = !{!8, !73}
!73 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !74, size: 32, dwarfAddressSpace: 0)
!74 = !DICompositeType(tag: DW_TAG_array_type, baseType: !7, size: 96, elements: !75)
!75 = !{!36}
!76 = !{!77, !78, !80, !81, !82, !84, !87, !88}
!77 = !DILocalVariable(name: "window", arg: 1, scope: !70, file: !3, line: 12, type: !73)
!78 = !DILocalVariable(name: "low", scope: !70, file: !3, line: 14, type: !79)
!79 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 96, elements: !75)
!80 = !DILocalVariable(name: "middle", scope: !70, file: !3, line: 14, type: !79)
!81 = !DILocalVariable(name: "high", scope: !70, file: !3, line: 14, type: !79)
!82 = !DILocalVariable(name: "x", scope: !83, file: !3, line: 15, type: !16)
!83 = distinct !DILexicalBlock(scope: !70, file: !3, line: 15, column: 5)
!84 = !DILocalVariable(name: "a", scope: !85, file: !3, line: 16, type: !7)
!85 = distinct !DILexicalBlock(scope: !86, file: !3, line: 15, column: 33)
!86 = distinct !DILexicalBlock(scope: !83, file: !3, line: 15, column: 5)
!87 = !DILocalVariable(name: "b", scope: !85, file: !3, line: 16, type: !7)
!88 = !DILocalVariable(name: "c", scope: !85, file: !3, line: 16, type: !7)
!89 = !DILocation(line: 0, scope: !70)
!90 = !DILocation(line: 0, scope: !83)
!91 = !DILocation(line: 16, column: 26, scope: !85)
!92 = !{!93, !93, i64 0}
!93 = !{!"omnipotent char", !94, i64 0}
!94 = !{!"Simple C/C++ TBAA"}
!95 = !DILocation(line: 0, scope: !85)
!96 = !DILocation(line: 16, column: 44, scope: !85)
!97 = !DILocation(line: 16, column: 62, scope: !85)
!98 = !DILocation(line: 17, column: 22, scope: !85)
!99 = !DILocation(line: 17, column: 18, scope: !85)
!100 = !DILocation(line: 0, scope: !51, inlinedAt: !101)
!101 = distinct !DILocation(line: 18, column: 21, scope: !85)
!102 = !DILocation(line: 7, column: 31, scope: !51, inlinedAt: !101)
!103 = !DILocation(line: 7, column: 27, scope: !51, inlinedAt: !101)
!104 = !DILocation(line: 7, column: 12, scope: !51, inlinedAt: !101)
!105 = !DILocation(line: 19, column: 19, scope: !85)
!106 = !DILocation(line: 21, column: 24, scope: !70)
!107 = !DILocation(line: 21, column: 20, scope: !70)
!108 = !DILocation(line: 0, scope: !51, inlinedAt: !109)
!109 = distinct !DILocation(line: 22, column: 20, scope: !70)
!110 = !DILocation(line: 7, column: 16, scope: !51, inlinedAt: !109)
!111 = !DILocation(line: 7, column: 31, scope: !51, inlinedAt: !109)
!112 = !DILocation(line: 7, column: 27, scope: !51, inlinedAt: !109)
!113 = !DILocation(line: 7, column: 12, scope: !51, inlinedAt: !109)
!114 = !DILocation(line: 23, column: 24, scope: !70)
!115 = !DILocation(line: 23, column: 20, scope: !70)
!116 = !DILocation(line: 0, scope: !51, inlinedAt: !117)
!117 = distinct !DILocation(line: 21, column: 12, scope: !70)
!118 = !DILocation(line: 7, column: 16, scope: !51, inlinedAt: !117)
!119 = !DILocation(line: 7, column: 31, scope: !51, inlinedAt: !117)
!120 = !DILocation(line: 7, column: 27, scope: !51, inlinedAt: !117)
!121 = !DILocation(line: 7, column: 12, scope: !51, inlinedAt: !117)
!122 = !DILocation(line: 21, column: 5, scope: !70)
!123 = distinct !DISubprogram(name: "median_filter_global", scope: !3, file: !3, line: 28, type: !4, scopeLine: 29, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !17, retainedNodes: !124)
!124 = !{!125, !126, !127, !128, !129, !130, !131, !132, !134}
!125 = !DILocalVariable(name: "image", arg: 1, scope: !123, file: !3, line: 28, type: !6)
!126 = !DILocalVariable(name: "filtered", arg: 2, scope: !123, file: !3, line: 28, type: !15)
!127 = !DILocalVariable(name: "width", arg: 3, scope: !123, file: !3, line: 28, type: !16)
!128 = !DILocalVariable(name: "height", arg: 4, scope: !123, file: !3, line: 28, type: !16)
!129 = !DILocalVariable(name: "column", scope: !123, file: !3, line: 30, type: !26)
!130 = !DILocalVariable(name: "row", scope: !123, file: !3, line: 31, type: !26)
!131 = !DILocalVariable(name: "window", scope: !123, file: !3, line: 33, type: !34)
!132 = !DILocalVariable(name: "y", scope: !133, file: !3, line: 34, type: !16)
!133 = distinct !DILexicalBlock(scope: !123, file: !3, line: 34, column: 5)
!134 = !DILocalVariable(name: "x", scope: !135, file: !3, line: 35, type: !16)
!135 = distinct !DILexicalBlock(scope: !136, file: !3, line: 35, column: 9)
!136 = distinct !DILexicalBlock(scope: !133, file: !3, line: 34, column: 5)
!137 = !{i32 1, i32 1, i32 0, i32 0}
!138 = !{!"none", !"none", !"none", !"none"}
!139 = !{!"uchar4*", !"uchar4*", !"int", !"int"}
!140 = !{!"uchar __attribute__((ext_vector_type(4)))*", !"uchar __attribute__((ext_vector_type(4)))*", !"int", !"int"}
!141 = !{!"const", !"", !"", !""}
!142 = !{i32 16, i32 16, i32 1}
!143 = !DILocation(line: 0, scope: !123)
!144 = !DILocation(line: 30, column: 24, scope: !123)
!145 = !DILocation(line: 31, column: 21, scope: !123)
!146 = !DILocation(line: 33, column: 5, scope: !123)
!147 = !DILocation(line: 33, column: 12, scope: !123)
!148 = !DILocation(line: 0, scope: !133)
!149 = !DILocation(line: 0, scope: !135)
!150 = !DILocation(line: 36, column: 34, scope: !151)
!151 = distinct !DILexicalBlock(scope: !135, file: !3, line: 35, column: 9)
!152 = !DILocation(line: 36, column: 68, scope: !151)
!153 = !DILocation(line: 36, column: 78, scope: !151)
!154 = !DILocation(line: 36, column: 76, scope: !151)
!155 = !DILocation(line: 36, column: 28, scope: !151)
!156 = !DILocation(line: 36, column: 13, scope: !151)
!157 = !DILocation(line: 36, column: 26, scope: !151)
!158 = !DILocation(line: 36, column: 95, scope: !151)
!159 = !DILocation(line: 37, column: 46, scope: !123)
!160 = !DILocation(line: 37, column: 38, scope: !123)
!161 = !DILocation(line: 37, column: 18, scope: !123)
!162 = !DILocation(line: 37, column: 26, scope: !123)
!163 = !DILocation(line: 37, column: 5, scope: !123)
!164 = !DILocation(line: 37, column: 36, scope: !123)
!165 = !DILocation(line: 38, column: 1, scope: !123)
!166 = !DISubprogram(name: "get_global_id", linkageName: "_Z13get_global_idj", scope: !3, file: !3, line: 30, type: !167, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !68)
!167 = !DISubroutineType(cc: DW_CC_LLVM_SpirFunction, types: !168)
!168 = !{!169, !169}
!169 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!170 = !DISubprogram(name: "clamp", linkageName: "_Z5clampiii", scope: !3, file: !3, line: 36, type: !171, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !68)
!171 = !DISubroutineType(cc: DW_CC_LLVM_SpirFunction, types: !172)
!172 = !{!16, !16, !16, !16}
!173 = !DILocation(line: 0, scope: !2)
!174 = !DILocation(line: 45, column: 22, scope: !2)
!175 = !DILocation(line: 45, column: 38, scope: !2)
!176 = !DILocation(line: 45, column: 45, scope: !2)
!177 = !DILocation(line: 46, column: 21, scope: !2)
!178 = !DILocation(line: 46, column: 37, scope: !2)
!179 = !DILocation(line: 46, column: 44, scope: !2)
!180 = !DILocation(line: 48, column: 18, scope: !29)
!181 = !DILocation(line: 0, scope: !29)
!182 = !DILocation(line: 48, column: 37, scope: !32)
!183 = !DILocation(line: 48, column: 5, scope: !29)
!184 = !DILocation(line: 51, column: 5, scope: !2)
!185 = !DILocation(line: 53, column: 5, scope: !2)
!186 = !DILocation(line: 53, column: 12, scope: !2)
!187 = !DILocation(line: 0, scope: !38)
!188 = !DILocation(line: 0, scope: !40)
!189 = !DILocation(line: 56, column: 54, scope: !190)
!190 = distinct !DILexicalBlock(scope: !40, file: !3, line: 55, column: 9)
!191 = !DILocation(line: 56, column: 28, scope: !190)
!192 = !DILocation(line: 56, column: 13, scope: !190)
!193 = !DILocation(line: 56, column: 26, scope: !190)
!194 = !DILocation(line: 56, column: 70, scope: !190)
!195 = !DILocation(line: 57, column: 69, scope: !2)
!196 = !DILocation(line: 57, column: 61, scope: !2)
!197 = !DILocation(line: 57, column: 14, scope: !2)
!198 = !DILocation(line: 57, column: 31, scope: !2)
!199 = !DILocation(line: 57, column: 41, scope: !2)
!200 = !DILocation(line: 57, column: 39, scope: !2)
!201 = !DILocation(line: 57, column: 5, scope: !2)
!202 = !DILocation(line: 57, column: 59, scope: !2)
!203 = !DILocation(line: 58, column: 1, scope: !2)
!204 = !DILocation(line: 49, column: 22, scope: !31)
!205 = !DILocation(line: 0, scope: !31)
!206 = !DILocation(line: 49, column: 41, scope: !207)
!207 = distinct !DILexicalBlock(scope: !31, file: !3, line: 49, column: 9)
!208 = !DILocation(line: 49, column: 9, scope: !31)
!209 = !DILocation(line: 48, column: 51, scope: !32)
!210 = distinct !{!210, !183, !211}
!211 = !DILocation(line: 50, column: 101, scope: !29)
!212 = !DILocation(line: 50, column: 32, scope: !207)
!213 = !DILocation(line: 50, column: 62, scope: !207)
!214 = !DILocation(line: 50, column: 83, scope: !207)
!215 = !DILocation(line: 50, column: 72, scope: !207)
!216 = !DILocation(line: 50, column: 70, scope: !207)
!217 = !DILocation(line: 50, column: 26, scope: !207)
!218 = !DILocation(line: 50, column: 13, scope: !207)
!219 = !DILocation(line: 50, column: 24, scope: !207)
!220 = !DILocation(line: 49, column: 55, scope: !207)
!221 = distinct !{!221, !208, !222}
!222 = !DILocation(line: 50, column: 101, scope: !31)
!223 = !DISubprogram(name: "get_group_id", linkageName: "_Z12get_group_idj", scope: !3, file: !3, line: 45, type: !167, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !68)
!224 = !DISubprogram(name: "get_local_id", linkageName: "_Z12get_local_idj", scope: !3, file: !3, line: 48, type: !167, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !68)
!225 = !DISubprogram(name: "barrier", linkageName: "_Z7barrierj", scope: !3, file: !3, line: 51, type: !226, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !68)
!226 = !DISubroutineType(cc: DW_CC_LLVM_SpirFunction, types: !227)
!227 = !{null, !228}
!228 = !DIDerivedType(tag: DW_TAG_typedef, name: "cl_mem_fence_flags", file: !9, line: 348, baseType: !229)
!229 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint", file: !9, line: 105, baseType: !169)
