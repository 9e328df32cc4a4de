//! Programs as text, executed: what they write, which blocks and accesses observers hear of, what is refused.

use std::collections::BTreeMap;

use kerncast_analysis::{
    llvm,
    run::{AccessId, BlockId, Goal, Machine, Memory, Observer, Program, Slice, Warp, lower},
};
use kerncast_suite::{Data, LaunchArgument, Step};

/// A launch of `f` along one dimension.
fn step(global: usize, local: usize, arguments: Vec<LaunchArgument>) -> Step {
    Step {
        function: "f".into(),
        names: Vec::new().into(),
        arguments,
        global: vec![global],
        local: vec![local],
        round: None,
        is_timed: true,
    }
}

fn program(text: &str) -> Program {
    let module = llvm::read(text).expect("a module");
    lower(&module, "f").expect("a program")
}

fn scalar(number: i32) -> LaunchArgument {
    LaunchArgument::Scalar(number.to_le_bytes().to_vec())
}

/// Runs all of a launch and gives back its buffers.
fn run(
    text: &str,
    step: &Step,
    buffers: Vec<Data>,
    width: usize,
    observer: &mut impl Observer,
) -> Vec<Data> {
    let program = program(text);
    let slice = Slice::new(&program, Goal::Values, &[]).expect("all is known");
    let count = buffers.len();
    let memory = Memory::new(buffers.into_iter().map(Some).collect());
    let mut machine = Machine::new(&program, &slice, step, memory, width).expect("its arguments");
    let items = machine.all_items();
    for group in 0..step.global[0] / step.local[0] {
        let group = u32::try_from(group).expect("few");
        machine
            .run_group([group, 0, 0], &items, observer)
            .expect("ends");
    }
    (0..count)
        .map(|place| machine.memory().buffer(place).expect("is there").clone())
        .collect()
}

/// Each work-item takes Collatz's steps from its number to 1: lanes leave the loop one after another, and within it
/// odd and even go different ways.
const COLLATZ: &str = r#"
define spir_kernel void @f(ptr addrspace(1) %numbers, ptr addrspace(1) %steps) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %from = getelementptr inbounds i32, ptr addrspace(1) %numbers, i64 %id
  %first = load i32, ptr addrspace(1) %from, align 4
  br label %loop
loop:                                   ; preds = %next, %entry
  %n = phi i32 [ %first, %entry ], [ %then, %next ]
  %taken = phi i32 [ 0, %entry ], [ %more, %next ]
  %done = icmp ule i32 %n, 1
  br i1 %done, label %out, label %body
body:
  %bit = and i32 %n, 1
  %is = icmp eq i32 %bit, 0
  br i1 %is, label %even, label %odd
even:
  %half = lshr i32 %n, 1
  br label %next
odd:
  %thrice = mul i32 %n, 3
  %up = add i32 %thrice, 1
  br label %next
next:
  %then = phi i32 [ %half, %even ], [ %up, %odd ]
  %more = add nuw nsw i32 %taken, 1
  br label %loop
out:
  %to = getelementptr inbounds i32, ptr addrspace(1) %steps, i64 %id
  store i32 %taken, ptr addrspace(1) %to, align 4
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32)
"#;

fn collatz(mut number: u32) -> u32 {
    let mut steps = 0;
    while number > 1 {
        number = if number.is_multiple_of(2) {
            number / 2
        } else {
            3 * number + 1
        };
        steps += 1;
    }
    steps
}

#[test]
fn lanes_that_part_meet_again_whatever_the_width() {
    let numbers: Vec<u32> = (0..96).map(|at| at * 7 + 1).collect();
    let expected: Vec<u32> = numbers.iter().copied().map(collatz).collect();
    let arguments = vec![LaunchArgument::Buffer(0), LaunchArgument::Buffer(1)];
    let step = step(96, 48, arguments);
    for width in [1, 5, 32, 1024] {
        let buffers = vec![Data::Uint(numbers.clone()), Data::Uint(vec![0; 96])];
        let mut log = EventLog::default();
        let buffers = run(COLLATZ, &step, buffers, width, &mut log);
        assert_eq!(buffers[1].as_u32(), expected, "{width} lanes");
        // The loop's head is passed once more than its body, by every lane.
        let passed: u32 = expected.iter().map(|steps| steps + 1).sum();
        assert_eq!(log.lanes_of(1), u64::from(passed));
        // One load and one store a lane, each logged once a warp: those that waited come along.
        let warps: usize = if width >= 48 {
            2
        } else {
            2 * 48_usize.div_ceil(width)
        };
        assert_eq!(log.accesses[&0].len(), warps);
        assert_eq!(
            log.accesses[&1].len(),
            warps,
            "all lanes of a warp store at once"
        );
        assert_eq!(log.accesses[&1].iter().map(Vec::len).sum::<usize>(), 96);
    }
}

#[derive(Default)]
struct EventLog {
    blocks: BTreeMap<u32, u64>,
    accesses: BTreeMap<u32, Vec<Vec<u64>>>,
    barriers: usize,
}

impl EventLog {
    fn lanes_of(&self, block: u32) -> u64 {
        self.blocks.get(&block).copied().unwrap_or(0)
    }
}

impl Observer for EventLog {
    fn block(&mut self, _: Warp, block: BlockId, lanes: &[u16]) {
        *self.blocks.entry(block.0).or_default() += lanes.len() as u64;
    }

    fn access(&mut self, _: Warp, access: AccessId, lanes: &[u16], addresses: &[u64]) {
        assert_eq!(lanes.len(), addresses.len());
        self.accesses
            .entry(access.0)
            .or_default()
            .push(addresses.to_vec());
    }

    fn barrier(&mut self, _: Warp) {
        self.barriers += 1;
    }
}

/// A sum in local memory by halves, a barrier between them; a function with a structure by value; a table; a vector
/// whose element is chosen when it runs.
const SUM: &str = r#"
%struct.pair = type { i32, float }
@f.parts = internal addrspace(3) global [8 x float] undef, align 4
@weights = internal addrspace(2) constant [2 x float] [float 1.000000e+00, float 5.000000e-01], align 4

define internal spir_func float @weigh(ptr noundef byval(%struct.pair) align 4 %p) {
  %1 = getelementptr inbounds %struct.pair, ptr %p, i32 0, i32 1
  %2 = load float, ptr %1, align 4
  %3 = load i32, ptr %p, align 4
  store i32 77, ptr %p, align 4
  %4 = and i32 %3, 1
  %5 = zext i32 %4 to i64
  %6 = getelementptr inbounds [2 x float], ptr addrspace(2) @weights, i64 0, i64 %5
  %7 = load float, ptr addrspace(2) %6, align 4
  %8 = fmul float %2, %7
  ret float %8
}

define spir_kernel void @f(float addrspace(1)* %x, float addrspace(1)* %sums, i32 %seven) {
  %p = alloca %struct.pair, align 4
  %l = tail call spir_func i64 @_Z12get_local_idj(i32 0), !dbg !5
  %g = tail call spir_func i64 @_Z13get_global_idj(i32 0)
  %from = getelementptr inbounds float, float addrspace(1)* %x, i64 %g
  %v = load float, float addrspace(1)* %from, align 4, !dbg !5
  %kind = trunc i64 %l to i32
  %first = getelementptr inbounds %struct.pair, ptr %p, i32 0, i32 0
  store i32 %kind, ptr %first, align 4
  %second = getelementptr inbounds %struct.pair, ptr %p, i32 0, i32 1
  store float %v, ptr %second, align 4
  %weighed = call spir_func float @weigh(ptr byval(%struct.pair) align 4 %p)
  %own = getelementptr inbounds [8 x float], [8 x float] addrspace(3)* @f.parts, i64 0, i64 %l
  store float %weighed, float addrspace(3)* %own, align 4
  br label %4

4:
  %apart = phi i32 [ 4, %0 ], [ %less, %8 ]
  tail call spir_func void @_Z7barrierj(i32 1)
  %over = icmp eq i32 %apart, 0
  br i1 %over, label %9, label %5

5:
  %mine = icmp ult i32 %kind, %apart
  br i1 %mine, label %6, label %8

6:
  %far = add i32 %kind, %apart
  %wide = zext i32 %far to i64
  %other = getelementptr inbounds [8 x float], [8 x float] addrspace(3)* @f.parts, i64 0, i64 %wide
  %a = load float, float addrspace(3)* %own, align 4
  %b = load float, float addrspace(3)* %other, align 4
  %c = fadd float %a, %b
  store float %c, float addrspace(3)* %own, align 4
  br label %8

8:
  %less = lshr i32 %apart, 1
  br label %4

9:
  %lane = insertelement <2 x float> <float 0.000000e+00, float 0.000000e+00>, float %weighed, i32 %seven
  %again = extractelement <2 x float> %lane, i32 %seven
  %kept = load i32, ptr %first, align 4
  %same = icmp eq i32 %kept, %kind
  %sum = load float, float addrspace(3)* getelementptr inbounds ([8 x float], [8 x float] addrspace(3)* @f.parts, i64 0, i64 0), align 4
  %plus = fadd float %sum, %again
  %result = select i1 %same, float %plus, float -1.000000e+00
  %to = getelementptr inbounds float, float addrspace(1)* %sums, i64 %g
  store float %result, float addrspace(1)* %to, align 4
  ret void
}
!3 = !DIFile(filename: "sum.cl", directory: "/")
!4 = distinct !DISubprogram(name: "f", scope: !3, file: !3, line: 1)
!5 = !DILocation(line: 12, column: 34, scope: !4)
"#;

#[test]
fn a_work_group_sums_in_local_memory_and_gives_structures_by_value() {
    let x: Vec<f32> = (0..16_u8).map(f32::from).collect();
    let weighed: Vec<f32> = x
        .iter()
        .enumerate()
        .map(|(at, x)| if at % 2 == 0 { *x } else { x * 0.5 })
        .collect();
    let arguments = vec![
        LaunchArgument::Buffer(0),
        LaunchArgument::Buffer(1),
        scalar(1),
    ];
    let step = step(16, 8, arguments);
    for width in [1, 3, 8] {
        let buffers = vec![Data::Float(x.clone()), Data::Float(vec![0.0; 16])];
        let mut log = EventLog::default();
        let buffers = run(SUM, &step, buffers, width, &mut log);
        for (at, result) in buffers[1].as_f32().iter().enumerate() {
            let group = at / 8 * 8;
            let sum: f32 = weighed[group..group + 8].iter().sum();
            assert!(
                (result - sum - weighed[at]).abs() < 1e-6,
                "{width} lanes, {at}: {result}"
            );
        }
        assert_eq!(log.barriers, 2 * 4 * 8_usize.div_ceil(width));
    }
    let program = program(SUM);
    let location = program.accesses[0]
        .location
        .map(|at| &program.locations[at as usize]);
    let location = location.expect("a place in the source");
    assert_eq!(
        (&*location.file, location.line, location.column),
        ("sum.cl", 12, 34)
    );
}

#[test]
fn only_what_decides_branches_is_computed_and_only_along_its_axes() {
    let program = program(SUM);
    let slice = Slice::new(&program, Goal::Branches, &[]).expect("all is known");
    // `kind < apart` differs within a work-group, and nothing between work-groups.
    assert!(slice.branches.has_local(0) && !slice.branches.has_group(0));
    assert!(!slice.branches.has_local(1));
    assert!(!slice.shares && slice.reads.is_empty());
}

#[test]
fn what_can_t_be_followed_is_refused_with_its_reason() {
    let refused = |text: &str| {
        let module = llvm::read(text).expect("a module");
        let program = lower(&module, "f");
        let slice = program.and_then(|program| Slice::new(&program, Goal::Branches, &[]));
        slice.expect_err("it can't be followed").to_string()
    };
    let kernel = |body: &str| {
        format!("define spir_kernel void @f(i32 %n) {{\nentry:\n{body}\n  ret void\n}}\n")
    };
    let itself = "define i32 @g(i32 %x) {\n  %y = call i32 @g(i32 %x)\n  ret i32 %y\n}\n";
    let called = kernel("  %z = call i32 @g(i32 %n)");
    assert!(refused(&format!("{itself}{called}")).contains("`g` calls itself"));
    let odd = kernel("  %z = call i1 @oracle(i32 %n)\n  br i1 %z, label %a, label %a\na:");
    let odd = refused(&odd);
    assert!(odd.contains("`oracle` has no body here"), "{odd}");
    assert!(refused("").contains("there is no kernel `f`"));
    let long = kernel("  %z = alloca i8, i32 %n");
    assert!(refused(&long).contains("only known when it runs"));

    let short = program(&kernel(""));
    let slice = Slice::new(&short, Goal::Branches, &[]).expect("nothing to know");
    let wide = step(1 << 32, 8, vec![scalar(0)]);
    let refusal = Machine::new(&short, &slice, &wide, Memory::default(), 8)
        .map(|_| ())
        .expect_err("32 bits number less");
    assert!(
        refusal.to_string().contains("4294967296 work-items"),
        "{refusal}"
    );

    let endless = program(&kernel("  br label %a\na:\n  br label %a\nb:"));
    let slice = Slice::new(&endless, Goal::Branches, &[]).expect("nothing to know");
    let step = step(8, 8, vec![scalar(0)]);
    let mut machine =
        Machine::new(&endless, &slice, &step, Memory::default(), 8).expect("its arguments");
    machine.limit = 10_000;
    let items = machine.all_items();
    let refusal = machine
        .run_group([0; 3], &items, &mut ())
        .expect_err("it never ends");
    assert!(refusal.to_string().contains("or a loop never ends"));
}
