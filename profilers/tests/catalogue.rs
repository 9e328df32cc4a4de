//! The one table of counters: what is called how, and what models know it by.

use std::collections::{BTreeMap, BTreeSet};

use kerncast_profilers::{
    catalogue::{
        Counter, TwoNames, all,
        amd::DURATION,
        describe,
        ncu::{REPLAY_TIME, TIME},
        requested, resolve, role, roles,
    },
    parse,
};
use kerncast_wire::{CounterKind, Role};

#[test]
fn counters_are_described_by_any_of_their_names() {
    let kind = |provider, name| describe(provider, name).map(|it| it.kind);
    let volume = Some(CounterKind::Volume);
    assert_eq!(kind("ncu", "dram__sectors_op_read.sum"), volume);
    assert_eq!(kind("ncu", REPLAY_TIME), Some(CounterKind::Cycles));
    assert_eq!(kind("rocprofv3", DURATION), Some(CounterKind::Cycles));
    assert_eq!(kind("rocprofiler_compute", "TCC_HIT[15]"), volume);
    assert_eq!(kind("rocprof", "TCC_EA0_RDREQ[0]"), volume);
    assert_eq!(kind("oclgrind", "call_get_global_id"), volume);
    assert_eq!(kind("oclgrind", "fmul"), volume);
    assert_eq!(kind("local_memory", "cycles"), Some(CounterKind::Cycles));
    for (provider, name) in [
        ("oclgrind", "call_"),
        ("oclgrind", "frobnicate"),
        ("ncu", "no__such.sum"),
        ("rocprofv3", "]["),
        ("meter", "joules"),
    ] {
        assert_eq!(describe(provider, name), None, "{provider}:{name}");
    }
}

/// So an alias is one counter's, and never a counter itself.
#[test]
fn no_name_is_there_twice() {
    let mut names = BTreeSet::new();
    for (provider, counter) in all() {
        for name in counter.names() {
            assert!(names.insert((provider, name)), "{provider}:{name}");
        }
    }
}

/// Several of Oclgrind's instructions may have one role: they add up.
#[test]
fn a_role_is_played_by_one_counter_of_a_provider() {
    let mut players: BTreeMap<(&str, Role), Vec<&str>> = BTreeMap::new();
    for (provider, counter) in all() {
        if let Some(role) = counter.role {
            let players = players.entry((provider, role)).or_default();
            players.push(&counter.name);
        }
    }
    for ((provider, role), players) in players {
        let adds_up = matches!(role, Role::IrOperations | Role::IrMultiplyAdds);
        assert!(
            players.len() == 1 || adds_up,
            "{provider} {role}: {players:?}"
        );
    }
}

#[test]
fn ncu_is_asked_for_every_name_of_other_chips_and_for_none_that_counts_again() {
    let names: BTreeSet<&str> = requested("ncu").flat_map(Counter::asked_names).collect();
    for metric in requested("ncu") {
        assert!(metric.also.iter().all(|name| names.contains(&**name)));
        assert!(!metric.like.iter().any(|name| names.contains(&**name)));
    }
    assert!(names.contains(TIME) && !names.contains(REPLAY_TIME));
}

#[test]
fn what_is_counted_twice_is_kept_once_where_it_is_the_same() {
    let (alias, name) = ("dram__sectors_op_read.sum", "dram__sectors_read.sum");
    let counted = |numbers: &[(&str, f64)]| {
        let numbers = numbers.iter();
        numbers
            .map(|(name, value)| ((*name).to_owned(), *value))
            .collect::<BTreeMap<_, _>>()
    };
    let mut same = counted(&[(alias, 5.0), (name, 5.0), ("a", 1.0)]);
    resolve("ncu", &mut same).expect("one number");
    assert_eq!(same, counted(&[("a", 1.0), (name, 5.0)]));

    let error = resolve("ncu", &mut counted(&[(alias, 5.0), (name, 7.0)]));
    let (alias_value, value) = (5.0, 7.0);
    let expected = TwoNames {
        alias,
        alias_value,
        name,
        value,
    };
    assert_eq!(error, Err(expected.clone()));
    let text = expected.to_string();
    assert!(text.contains(alias) && text.contains(name), "{text}");

    let mut others = counted(&[(alias, 5.0), (name, 7.0)]);
    resolve("mine", &mut others).expect("another provider's");
    assert_eq!(others.len(), 2);
}

#[test]
fn a_role_is_a_counters_whoever_counts_it() {
    for (counter, expected) in [
        ("ncu:dram__sectors_op_read.sum", Some(Role::DramReadSectors)),
        ("nvprof:dram_read_transactions", Some(Role::DramReadSectors)),
        ("oclgrind:instructions", Some(Role::IrInstructions)),
        // Known, and something else.
        ("local_memory:instructions", None),
        ("ncu:instructions", None),
        // A part of it.
        ("rocprofiler_compute:TCC_READ[0]", None),
        ("rocprofiler_compute:TCC_READ_sum", Some(Role::L2Reads)),
        // A user's own, and public data without a provider.
        ("mine:load_global", Some(Role::IrGlobalLoads)),
        ("workitems", Some(Role::WorkItems)),
        (
            "sm__sass_thread_inst_executed.sum",
            Some(Role::ItemInstructions),
        ),
        ("source_time", None),
    ] {
        assert_eq!(role(counter), expected, "{counter}");
        assert_eq!(roles(&[counter.to_owned()]), [expected]);
    }
    assert_eq!(Role::DramReadSectors.to_string(), "dram_read_sectors");
}

/// The raw page that Nsight Compute prints for a GeForce of the Blackwell generation.
const BLACKWELL: &str = r#""ID","Process ID","Kernel Name","Block Size","Grid Size","CC","dram__sectors_op_read.sum","gpu__time_duration.sum"
"","","","","","","sector","ns"
"0","1","copy","(256, 1, 1)","(64, 1, 1)","12.0","4,096","2,000"
"#;

#[test]
fn a_file_of_another_chip_has_the_tables_names() {
    let profile = parse(BLACKWELL).expect("a raw page");
    let counted = &profile.launches[0].counters["ncu"];
    let expected = [("dram__sectors_read.sum".to_owned(), 4096.0)];
    assert_eq!(*counted, expected.into());
}

#[test]
fn a_file_that_contradicts_itself_is_refused() {
    let both = BLACKWELL
        .replace(
            r#""dram__sectors_op"#,
            r#""dram__sectors_read.sum","dram__sectors_op"#,
        )
        .replace(r#""sector""#, r#""sector","sector""#)
        .replace(r#""4,096""#, r#""4,000","4,096""#);
    let error = parse(&both).expect_err("two numbers").to_string();
    assert_eq!(
        error,
        "line 3: `dram__sectors_op_read.sum` is 4096 and `dram__sectors_read.sum` is 4000: two names of one counter"
    );
}

/// Two passes of one program may count a little apart; two names on two chips may not.
#[test]
fn what_comes_out_alike_may_differ_where_both_are_there() {
    let [one, other] = [
        "smsp__inst_executed_op_global_ld.sum",
        "smsp__sass_inst_executed_op_global_ld.sum",
    ];
    let mut both = BTreeMap::from([(one.to_owned(), 10.0), (other.to_owned(), 11.0)]);
    resolve("ncu", &mut both).expect("one counter");
    assert_eq!(both, BTreeMap::from([(other.to_owned(), 11.0)]));
    let mut unequal = BTreeMap::from([(one.to_owned(), 10.0), (other.to_owned(), 1000.0)]);
    resolve("ncu", &mut unequal).expect_err("no two passes of one program");
}

/// No set of ncu's sections prints them, but each prints the launch's shape.
#[test]
fn warps_follow_from_the_launchs_shape() {
    let shape = [("launch__grid_size", 40.0), ("launch__block_size", 100.0)];
    let resolved = |more: &[(&str, f64)]| -> BTreeMap<String, f64> {
        let all = shape.iter().chain(more);
        let mut all = all.map(|&(name, value)| (name.to_owned(), value)).collect();
        resolve("ncu", &mut all).expect("one name each");
        all
    };
    let (warps, groups) = ("smsp__warps_launched.sum", "sm__ctas_launched.sum");
    let derived = resolved(&[]);
    assert_eq!((derived[warps], derived[groups]), (160.0, 40.0));
    // Counts stay as they are.
    assert_eq!(resolved(&[(warps, 161.0)]).get(warps), Some(&161.0));
    let mut incomplete = BTreeMap::from([shape[0]].map(|(name, value)| (name.to_owned(), value)));
    resolve("ncu", &mut incomplete).expect("one name each");
    assert_eq!(incomplete.len(), 1);
}
