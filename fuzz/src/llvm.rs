//! LLVM's text, read, inlined, sliced and executed: whatever it says, it costs a refusal at most.

use kerncast_analysis::{
    llvm,
    run::{Goal, Machine, Memory, Slice, lower},
};
use kerncast_suite::{LaunchArgument, Step};

/// Tries one input; a panic is a find.
pub fn fuzz(text: &[u8]) {
    let text = String::from_utf8_lossy(text);
    let Ok(module) = llvm::read(&text) else {
        return;
    };
    for function in module.functions.iter().take(4) {
        let Ok(program) = lower(&module, &function.name) else {
            continue;
        };
        for goal in [Goal::Branches, Goal::Values] {
            let Ok(slice) = Slice::new(&program, goal, &[]) else {
                continue;
            };
            let arguments = program.arguments.iter();
            let arguments = arguments.map(|_| LaunchArgument::Scalar(vec![1, 0, 0, 0]));
            let step = Step {
                function: function.name.as_str().into(),
                names: Vec::new().into(),
                arguments: arguments.collect(),
                global: vec![16],
                local: vec![8],
                round: None,
                is_timed: true,
            };
            let made = Machine::new(&program, &slice, &step, Memory::default(), 3);
            let Ok(mut machine) = made else { continue };
            machine.limit = 20_000;
            let items = machine.all_items();
            let _ = machine.run_group([1, 0, 0], &items, &mut ());
        }
    }
}
