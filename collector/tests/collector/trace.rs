//! `kerncast init --from-trace`: folders of what a program launches, which is `kerncast run` here.

use std::{fs, process::Command};

use crate::common::{Place, expect_exit, text};

/// Only the kernels are to run.
const BRIEF: [&str; 2] = ["--no-ceilings", "--no-microbenchmark"];
const IMAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples/image_resize");

#[test]
fn a_traced_launch_is_as_the_program_made_it() {
    let place = Place::new();
    let folder = place.path("kernels/k");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(
        folder.join("k.cl"),
        "typedef struct { short from; float part[2]; } edge;\n\
         kernel void k(global const uint *in, global const float *none, global float *out, local float *sums, \
         const edge one, const float4 by, const int n, const long off, const uchar flag) {\n\
           int i = get_global_id(0);\n\
           sums[get_local_id(0)] = one.part[1] * by.y + off + SHIFT;\n\
           barrier(CLK_LOCAL_MEM_FENCE);\n\
           if (i < n) out[i] = in[i] + sums[get_local_id(0) ^ 1] + (flag ? none[i] : 0);\n\
         }\n",
    )
    .expect("writes");
    fs::write(
        folder.join("launch.toml"),
        "title = \"k\"\n[[sizes]]\nn = 1000\n\
         [[structs]]\nname = \"edge\"\n\
         fields = [{ name = \"from\", type = \"short\" }, { name = \"part\", type = \"float[2]\" }]\n\
         [[arguments]]\nname = \"in\"\nbuffer = \"uint\"\nlength = \"n\"\nfill = { values = [4000000000, 7] }\n\
         [[arguments]]\nname = \"none\"\nbuffer = \"float\"\nlength = 0\nfill = { values = [1.0] }\n\
         [[arguments]]\nname = \"out\"\nbuffer = \"float\"\nlength = 1024\naccess = \"write_partly\"\n\
         [[arguments]]\nname = \"sums\"\nlocal = \"float\"\nlength = 64\n\
         [[arguments]]\nname = \"one\"\nscalar = \"edge\"\nvalue = { from = -3, part = [0.1, 2.5] }\n\
         [[arguments]]\nname = \"by\"\nscalar = \"float4\"\nvalue = [1.0, 0.1, 3.0, 4.0]\n\
         [[arguments]]\nname = \"n\"\nscalar = \"int\"\nvalue = \"n\"\n\
         [[arguments]]\nname = \"off\"\nscalar = \"long\"\nvalue = -5\n\
         [[arguments]]\nname = \"flag\"\nscalar = \"uchar\"\nvalue = 0\n\
         [variants.global]\nfunction = \"k\"\noptions = \"-DSHIFT=3\"\nglobal = [1024]\nlocal = [64]\n",
    )
    .expect("writes");
    let images = place.path("kernels/image_resize");
    fs::create_dir(&images).expect("a folder");
    for file in ["launch.toml", "image_resize.cl"] {
        fs::copy(format!("{IMAGES}/{file}"), images.join(file)).expect("copies");
    }
    let (all, out) = (place.path("kernels"), place.path("traced"));
    let (all, out) = (all.display().to_string(), out.display().to_string());
    let own = env!("CARGO_BIN_EXE_kerncast");
    let init = [
        "init",
        "--from-trace",
        "--contents",
        "--out",
        &out,
        "--",
        own,
    ];
    let run = ["--no-upload", "--provider", "launch", "--timing", "1ms"];
    let output = place.kerncast(&[&init[..], &["run", "--kernels", &all], &run, &BRIEF].concat());
    let printed = text(&expect_exit(output, 0).stdout);
    assert!(printed.contains("kerncast forecast"), "{printed}");
    let launch_file =
        fs::read_to_string(place.path("traced/k/launch.toml")).expect("a launch file");
    for line in [
        "[[sizes]]\nitems_n = 1024\nn = 1000\n",
        "buffer = \"uint\"\nlength = \"n\"\nfill = { file = \"in.npy\" }\n",
        "buffer = \"float\"\nlength = 0\n",
        "buffer = \"float\"\nlength = \"items_n\"\naccess = \"write_partly\"\n",
        "local = \"float\"\nlength = 64\n",
        "value = { from = -3, part = [0.1, 2.5] }\n",
        "value = [1.0, 0.1, 3.0, 4.0]\n",
        "scalar = \"int\"\nvalue = \"n\"\n",
        "scalar = \"long\"\nvalue = -5\n",
        "scalar = \"uchar\"\nvalue = 0\n",
        "global = [\"items_n\"]\nlocal = [64]\n",
    ] {
        assert!(launch_file.contains(line), "{line}\n{launch_file}");
    }
    assert!(launch_file.contains("-DSHIFT=3"), "{launch_file}");
    let numbers = fs::read(place.path("traced/k/in.npy")).expect("the contents");
    let expected = [4_000_000_000_u32.to_le_bytes(), 7_u32.to_le_bytes()].concat();
    assert_eq!(numbers[numbers.len() - 4000..][..8], expected);
    let again = place.path("traced/k").display().to_string();
    let again = place.kerncast(&[&["run", "--kernels", &again], &run[..]].concat());
    let printed = text(&expect_exit(again, 0).stdout);
    assert!(printed.contains("n=1000"), "{printed}");
    let launch_file = fs::read_to_string(place.path("traced/resize_by_sampler/launch.toml"));
    let launch_file = launch_file.expect("a launch file");
    let own = fs::read_to_string(format!("{IMAGES}/launch.toml"));
    let own = own.expect("a launch file");
    for key in ["image = ", "sampler = "] {
        let line = own.lines().find(|it| it.starts_with(key)).expect("a line");
        let line = line.split("  #").next().unwrap_or(line).trim_end();
        assert!(launch_file.contains(line), "{line}\n{launch_file}");
    }
}

#[test]
fn a_program_that_launches_nothing_is_told_so() {
    let place = Place::new();
    let stderr =
        |arguments: &[&str], status| text(&expect_exit(place.kerncast(arguments), status).stderr);
    let nothing = stderr(&["init", "--from-trace", "--", "true"], 1);
    assert!(nothing.contains("true launched no kernel"), "{nothing}");
    let absent = stderr(&["init", "--from-trace", "--", "no-such-program"], 2);
    assert!(absent.contains("cannot start no-such-program"), "{absent}");
    let both = stderr(&["init", "a.cl", "--from-trace", "--", "true"], 2);
    assert!(both.contains("cannot be used with"), "{both}");
}

/// Names pasted by macros, a launch that fails, null buffers by pointer, lengths that indices do not reach, numbers that
/// no launch file can say, ids from an offset, and a program linked of two whose parts are gone.
#[test]
fn programs_launch_in_other_ways_too() {
    let place = Place::new();
    let program = place.path("launches").display().to_string();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/launches.c");
    let compiled = Command::new("cc")
        .args(["-w", "-o", &program, source, "-l:libOpenCL.so.1"])
        .status();
    assert!(compiled.expect("cc is there").success());
    let out = place.path("traced").display().to_string();
    let output = place.kerncast(&["init", "--from-trace", "--out", &out, "--", &program]);
    let output = expect_exit(output, 0);
    let launch_file = |name: &str| {
        let file = fs::read_to_string(place.path(&format!("traced/{name}/launch.toml")));
        file.unwrap_or_else(|_| panic!("{name}: {}", text(&output.stderr)))
    };
    let add = launch_file("add_float");
    assert!(
        add.contains("n = 1024\n") && add.contains("local = [32]"),
        "{add}"
    );
    assert!(add.contains("value = 2.5\n"), "{add}");
    let maybe = launch_file("maybe");
    assert!(maybe.contains("length = 0\n"), "{maybe}");
    let halves = launch_file("halves");
    assert!(halves.contains("access = \"write_partly\""), "{halves}");
    assert!(halves.contains("value = 1  # guess"), "{halves}");
    let rows = launch_file("rows");
    assert!(
        rows.contains("fill = { expression = \"i * 10\" }  # guess"),
        "{rows}"
    );
    assert!(rows.contains("value = 3.4028234663852886e38\n"), "{rows}");
    let linked = launch_file("linked");
    assert!(linked.contains("options = \"-DBY=3\""), "{linked}");
    let stderr = text(&output.stderr);
    assert!(
        stderr.contains("shifted: its ids do not begin at 0"),
        "{stderr}"
    );
}
