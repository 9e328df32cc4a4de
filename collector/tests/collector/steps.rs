//! Workloads of several launches: before, until, after.

use std::fs;

use crate::common::{Place, expect_exit, text};

const SOURCE: &str = "
kernel void whole(global int *level, const int n) {
  for (int i = 0; i < n; i++) level[i] = 8 * i;
}
kernel void seed(global int *level) {
  int i = get_global_id(0);
  level[i] = i == 0 ? 0 : 1 << 20;
}
kernel void spread(global int *level, global int *changed) {
  int i = get_global_id(0);
  int next = i == 0 ? 0 : level[i - 1] + 1;
  if (next < level[i]) { level[i] = next; changed[0] = 1; }
}
kernel void twice(global int *level, const int round) {
  level[get_global_id(0)] *= round == 0 ? 4 : 2;
}
";

const LAUNCH: &str = r#"title = "levels"
[[sizes]]
n = 64
[[arguments]]
name = "level"
buffer = "int"
length = "n"
access = "write"
[[arguments]]
name = "changed"
buffer = "int"
length = 1
access = "read_write"
fill = { values = [0] }
variants = ["steps"]
[[arguments]]
name = "n"
scalar = "int"
value = "n"
variants = ["all"]
[[arguments]]
name = "round"
scalar = "int"
value = "round"
variants = ["steps"]
[variants.all]
function = "whole"
global = [1]
local = [1]
[variants.steps]
rounds = 1000
until = "changed"
[[variants.steps.steps]]
when = "before"
timed = false
function = "seed"
arguments = ["level"]
global = ["n"]
local = [16]
[[variants.steps.steps]]
function = "spread"
arguments = ["level", "changed"]
global = ["n"]
local = [16]
[[variants.steps.steps]]
when = "after"
rounds = 2
function = "twice"
arguments = ["level", "round"]
global = ["n"]
local = [16]
"#;

#[test]
fn steps_before_until_and_after_give_what_one_launch_does() {
    let place = Place::new();
    let folder = place.path("levels");
    fs::create_dir(&folder).expect("a folder");
    fs::write(folder.join("levels.cl"), SOURCE).expect("writes");
    let kernels_folder = folder.display().to_string();
    let run = |launch: &str, status| {
        fs::write(folder.join("launch.toml"), launch).expect("writes");
        let output = place.kerncast(&[
            "run",
            "--kernels",
            &kernels_folder,
            "--no-upload",
            "--provider",
            "launch",
            "--timing",
            "1ms",
        ]);
        let output = expect_exit(output, status);
        text(&output.stdout) + &text(&output.stderr)
    };
    let printed = run(LAUNCH, 0);
    let row = printed
        .lines()
        .find(|it| it.contains("steps"))
        .expect("its row");
    assert!(row.contains("agree"), "{printed}");
    // Two rounds are too few.
    let printed = run(&LAUNCH.replace("rounds = 1000", "rounds = 2"), 1);
    assert!(printed.contains("disagree"), "{printed}");
    for (line, other, problem) in [
        (
            "when = \"before\"\n",
            "",
            "`timed` of a step that is not before",
        ),
        ("when = \"after\"\n", "", "`rounds` of a step of each round"),
        (
            "until = \"changed\"",
            "until = \"level\"",
            "rounds until `level`",
        ),
        ("rounds = 1000\n", "", "rounds until `changed`"),
        ("rounds = 1000\n", "rounds = 9999\n", "at most"),
    ] {
        let printed = run(&LAUNCH.replace(line, other), 2);
        assert!(printed.contains(problem), "{printed}");
    }
}
