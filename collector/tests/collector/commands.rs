//! What a person types: metrics, completions, settings of the configuration file, and mistakes.

use std::{
    fs,
    io::ErrorKind,
    net::TcpListener,
    process::{Command, Output},
};

use crate::common::{Place, expect_exit, fixture, text};
use kerncast_profilers::catalogue;
use serde_json::Value;

/// `kerncast` with a configuration file.
fn configured(place: &Place, config: &str, arguments: &[&str]) -> Command {
    let folder = place.path("config/kerncast");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("config.toml"), config).expect("writes");
    place.kerncast(arguments)
}

/// An address where nobody listens.
fn closed() -> String {
    let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr());
    format!("http://{}", port.expect("a port"))
}

/// A folder with a kernel of one buffer, and this source.
fn kernel_of(place: &Place, function: &str, source: &str) -> String {
    let folder = place.path(function);
    fs::create_dir_all(&folder).expect("a folder");
    let launch = format!(
        "title = \"one buffer\"\n[[sizes]]\nn = 64\n[[arguments]]\nname = \"a\"\nbuffer = \"float\"\n\
         length = \"n\"\naccess = \"write\"\n[variants.global]\nfunction = \"{function}\"\nglobal = [\"n\"]\n\
         local = [\"64\"]\n"
    );
    fs::write(folder.join("launch.toml"), launch).expect("writes");
    fs::write(folder.join(format!("{function}.cl")), source).expect("writes");
    folder.to_str().expect("UTF-8").to_owned()
}

fn stderr_of(output: &Output) -> String {
    text(&output.stderr)
}

#[test]
fn metrics_are_those_of_the_catalogue_in_a_command_to_type() {
    let place = Place::new();
    let printed = |profiler| {
        let json = expect_exit(place.kerncast(&["metrics", profiler, "--json"]), 0);
        serde_json::from_slice::<Value>(&json.stdout).expect("JSON alone on stdout")
    };
    let commands = |answer: &Value| -> Vec<String> {
        let commands = answer["commands"].as_array().expect("commands").iter();
        let text = commands.map(|it| it.as_str().expect("text").to_owned());
        text.collect()
    };
    let ncu = commands(&printed("ncu"));
    let [ncu] = &ncu[..] else {
        panic!("one command: {ncu:?}");
    };
    let metrics = ncu.split("--metrics ").nth(1).expect("a list");
    let metrics = metrics.split(' ').next().expect("a list");
    let metrics: Vec<&str> = metrics.split(',').collect();
    let requested = catalogue::requested("ncu").flat_map(catalogue::Counter::asked_names);
    assert_eq!(metrics, requested.collect::<Vec<_>>());

    let rocprofv3 = commands(&printed("rocprofv3"));
    assert_eq!(rocprofv3.len(), 5);
    assert!(
        rocprofv3
            .iter()
            .all(|it| it.starts_with("rocprofv3 --pmc SQ_WAVES "))
    );

    let nvprof = commands(&printed("nvprof")).remove(0);
    assert!(nvprof.contains("--metrics inst_executed,"), "{nvprof}");
    assert!(
        nvprof.contains("--events warps_launched,thread_inst_executed ./program"),
        "{nvprof}"
    );

    let words = text(&expect_exit(place.kerncast(&["metrics", "ncu"]), 0).stdout);
    assert!(words.starts_with("ncu --csv --page raw "), "{words}");
    assert!(words.contains("dram__sectors_read.sum"), "{words}");
}

#[test]
fn shells_know_every_command() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = text(&expect_exit(place.kerncast(&["completions", shell]), 0).stdout);
        assert!(
            script.contains("forecast") && script.contains("count-limit"),
            "{shell}"
        );
    }
}

#[test]
fn flags_go_before_the_environment_and_that_before_the_file() {
    let [flag, environment, file] = [closed(), closed(), closed()];
    let config = format!("server = \"{file}\"\n");
    let ask = |named: &[&str], variable: Option<&str>| {
        let place = Place::new();
        let arguments = [&["models"][..], named].concat();
        let mut command = configured(&place, &config, &arguments);
        command.envs(variable.map(|server| ("KERNCAST_SERVER", server)));
        stderr_of(&expect_exit(command, 75))
    };
    // Side by side: each asks a few times before it gives up.
    std::thread::scope(|scope| {
        let of_the_file = scope.spawn(|| ask(&[], None));
        let of_the_environment = scope.spawn(|| ask(&[], Some(&environment)));
        let of_the_flag = ask(&["--server", &flag], Some(&environment));
        assert!(of_the_file.join().unwrap().contains(&file));
        assert!(of_the_environment.join().unwrap().contains(&environment));
        assert!(of_the_flag.contains(&flag));
    });
}

#[test]
fn a_mistake_in_the_configuration_file_is_told_by_file_and_line() {
    let place = Place::new();
    let config = "agent = \"lab-3\"\nsevrer = \"http://lab:7310\"\n";
    let stderr = stderr_of(&expect_exit(configured(&place, config, &["models"]), 2));
    let file = place.path("config/kerncast/config.toml");
    let expected = format!("kerncast: {}:2: unknown field `sevrer`", file.display());
    assert!(stderr.starts_with(&expected), "{stderr}");
    // What needs no settings goes on.
    expect_exit(configured(&place, config, &["--help"]), 0);
}

#[test]
fn settings_of_the_file_are_used() {
    let place = Place::new();
    let config = format!("kernels = \"{}\"\nagent = \"lab-3\"\n", fixture("kernels"));
    let arguments = [
        "run",
        "--no-upload",
        "--provider",
        "launch",
        "--kernel",
        "scale",
        "--first-sizes",
        "1",
    ];
    expect_exit(configured(&place, &config, &arguments), 0);
    let spooled = place.spooled();
    assert!(!spooled.is_empty());
    assert!(spooled.iter().all(|it| it["agent"]["name"] == "lab-3"));
}

#[test]
fn a_typo_offers_the_likely_name_and_tells_no_server() {
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("waits for nobody");
    let server = format!("http://{}", listener.local_addr().expect("a port"));
    for (option, typo, likely) in [
        ("--kernel", "scael", "Did you mean `scale`?"),
        ("--device", "pthraed-skylake", "there is no such device"),
        ("--device", "H200", "there is no such device"),
    ] {
        let kernels = fixture("kernels");
        let arguments = [
            "run",
            "--kernels",
            &kernels,
            option,
            typo,
            "--server",
            &server,
        ];
        let stderr = stderr_of(&expect_exit(place.kerncast(&arguments), 2));
        assert!(stderr.contains(likely), "{stderr}");
    }
    let called = listener.accept().map(|_| ()).map_err(|error| error.kind());
    assert_eq!(called, Err(ErrorKind::WouldBlock), "nobody is told");
    let stderr = stderr_of(&expect_exit(place.kerncast(&["forcast"]), 2));
    assert!(stderr.contains("'forecast'"), "{stderr}");
}

#[test]
fn options_that_people_mix_up_name_each_other() {
    let place = Place::new();
    let kernels = fixture("kernels");
    let source = format!("{kernels}/scale/scale.cl");
    let scale = format!("{kernels}/scale");
    for (arguments, likely) in [
        (&["run", "--on", "h200"][..], "--device says"),
        (&["forecast", &scale, "--device", "0"], "--on says"),
        (
            &["analyse", &scale, "--size", "w=512", "h=512"],
            "--size w=512,h=512",
        ),
        (&["analyse", &source], "name the folder"),
        (&["forecast", &source, "--on", "h200"], "name the folder"),
    ] {
        let stderr = stderr_of(&expect_exit(place.kerncast(arguments), 2));
        let words: Vec<&str> = stderr.split_whitespace().collect();
        assert!(words.join(" ").contains(likely), "{stderr}");
    }
}

#[test]
fn compile_errors_are_at_the_persons_file_and_line() {
    let place = Place::new();
    let source =
        "__kernel void broken(__global float *a)\n{\n    a[get_global_id(0)] = undeclared;\n}\n";
    let kernels = &kernel_of(&place, "broken", source);
    let output = expect_exit(place.times(kernels, &[]), 1);
    let expected = format!("{kernels}/broken.cl:3:");
    assert!(
        stderr_of(&output).contains(&expected),
        "{}",
        stderr_of(&output)
    );
}

#[test]
fn times_have_units() {
    let place = Place::new();
    let stderr = stderr_of(&expect_exit(
        place.kerncast(&["models", "--wait", "soon"]),
        2,
    ));
    assert!(stderr.contains("expected as 500ms, 90s"), "{stderr}");
}

#[test]
fn an_empty_source_is_said_to_be_empty() {
    let place = Place::new();
    for (source, expected) in [
        (" \n", "there is no OpenCL function `absent`: "),
        ("// later\n", "no OpenCL function `absent`"),
    ] {
        let kernels = &kernel_of(&place, "absent", source);
        let stderr = stderr_of(&expect_exit(place.times(kernels, &[]), 1));
        assert!(
            stderr.contains(expected) && !stderr.contains("crashed"),
            "{stderr}"
        );
        expect_exit(place.kerncast(&["analyse", kernels]), 2);
    }
}

#[test]
fn what_was_asked_wrongly_ends_with_2() {
    let place = Place::new();
    let broken = fixture("faulty/does_not_build");
    expect_exit(
        place.kerncast(&["analyse", &broken, "--variant", "local"]),
        2,
    );
    let cut = place.path("cut.jsonl");
    fs::write(&cut, "{\"id\": \"01a2").expect("writes");
    let (cut, absent) = (cut.to_str().expect("UTF-8"), "no_such_file.csv");
    for file in [cut, absent] {
        let imported = expect_exit(place.kerncast(&["import", "--dry-run", file]), 2);
        assert!(
            stderr_of(&imported).contains(file),
            "{}",
            stderr_of(&imported)
        );
        let evaluated = expect_exit(place.kerncast(&["evaluate", file]), 2);
        assert!(
            stderr_of(&evaluated).contains(file),
            "{}",
            stderr_of(&evaluated)
        );
    }
}

#[test]
fn values_below_0_are_refused_without_advice_that_leads_astray() {
    let place = Place::new();
    for (arguments, option) in [
        (
            &["offload", "sort", "--type", "u32", "--bytes", "-5MiB"][..],
            "--bytes -5MiB",
        ),
        (&["models", "--wait", "-3s"][..], "--wait -3s"),
    ] {
        let stderr = stderr_of(&expect_exit(place.kerncast(arguments), 2));
        assert_eq!(
            stderr.trim(),
            format!("kerncast: {option}: expected nothing below 0")
        );
    }
    // What may begin with a minus does.
    let arguments = [
        "stream",
        "transform",
        "absent.npy",
        "out.npy",
        "--op",
        "-1 * x",
    ];
    let stderr = stderr_of(&expect_exit(place.kerncast(&arguments), 2));
    assert!(stderr.contains("reading absent.npy"), "{stderr}");
}

#[test]
fn a_mistyped_kernel_is_answered_with_the_likely_one_and_not_with_all() {
    let place = Place::new();
    let suite = fixture("../../kernels");
    let stderr = |kernel: &str| {
        let arguments = ["run", "--kernels", &suite, "--kernel", kernel];
        stderr_of(&expect_exit(place.kerncast(&arguments), 2))
    };
    assert_eq!(
        stderr("matmul_flaot").trim(),
        "kerncast: --kernel matmul_flaot: there is no such kernel. Did you mean `matmul_float`?"
    );
    let stderr = stderr("xyzzy");
    assert!(
        stderr.contains("; there are ") && stderr.trim().ends_with(" more"),
        "{stderr}"
    );
    assert!(stderr.len() < 300, "{stderr}");
}

#[test]
fn help_fits_80_columns_and_names_every_exit_status() {
    let place = Place::new();
    let help = |command: &[&str]| {
        let arguments = [command, &["--help"]].concat();
        text(&expect_exit(place.kerncast(&arguments), 0).stdout)
    };
    let whole = help(&[]);
    for status in ["0", "1", "2", "3", "4", "5", "69", "75"] {
        assert!(
            whole.contains(&format!("\n  {status} ")),
            "{status}: {whole}"
        );
    }
    let commands = whole.split("Commands:").nth(1).expect("commands");
    let commands = commands.split("Options:").next().expect("before options");
    let names = commands
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<&str> = names
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(names.len() > 20 && names.contains(&"forecast"), "{names:?}");
    for name in names {
        for line in help(&[name]).lines().chain(whole.lines()) {
            assert!(line.chars().count() <= 80, "{name}: {line}");
        }
    }
}

#[test]
fn a_kernel_that_is_not_there_is_named_with_what_was_expected() {
    let place = Place::new();
    let suite = fixture("../../kernels");
    let absent = place.path("none");
    let absent = absent.to_str().expect("UTF-8");
    for folder in [&*suite, absent] {
        let mut command = place.kerncast(&["analyse", "nodir"]);
        command.env("KERNCAST_KERNELS", folder);
        let stderr = stderr_of(&expect_exit(command, 2));
        let expected = "kerncast: nodir: nothing is called so; expected a kernel's folder, or the name of a kernel";
        assert!(stderr.starts_with(expected), "{folder}: {stderr}");
    }
}

#[test]
fn a_spool_that_cannot_be_written_to_is_told_before_anything_is_measured() {
    let place = Place::new();
    let (file, kernels) = (place.path("file"), fixture("kernels"));
    fs::write(&file, "no folder").expect("writes");
    let spool = file.to_str().expect("UTF-8");
    for spool in [spool, "/proc/self"] {
        let mut command = place.times(&kernels, &[]);
        command.env("KERNCAST_SPOOL", spool);
        let stderr = stderr_of(&expect_exit(command, 2));
        assert!(
            stderr.contains(spool) && stderr.contains("KERNCAST_SPOOL"),
            "{stderr}"
        );
        assert!(!stderr.contains("workloads"), "{stderr}");
    }
}
