//! What version 0.1 called otherwise still works, and says what it is called now.

use std::{fs, net::TcpListener};

use crate::common::{Place, expect_exit, text};

#[test]
fn pay_off_and_source_are_told_their_new_names() {
    let place = Place::new();
    // A port that was free a moment ago: nobody listens.
    let closed = TcpListener::bind("127.0.0.1:0")
        .and_then(|l| l.local_addr())
        .expect("a port");
    let server = format!("http://{closed}");
    let counters = place.path("counters.json");
    fs::write(&counters, r#"{"oclgrind": {"load_global": 1}}"#).expect("writes");
    let counters = counters.to_str().expect("a path");
    let ask = |command: &str, option: &str| {
        let arguments = [
            command,
            option,
            "1",
            "--counters",
            counters,
            "--server",
            &server,
        ];
        let output = expect_exit(place.kerncast(&arguments), 75);
        text(&output.stderr).to_owned()
    };
    let former = ask("pay-off", "--source");
    assert!(former.contains("pay-off is now called speedup"), "{former}");
    assert!(
        former.contains("--source is now called --counted-on"),
        "{former}"
    );
    let today = ask("speedup", "--counted-on");
    assert!(!today.contains("now called"), "{today}");
    assert!(former.ends_with(&today), "{former}\n{today}");
}
