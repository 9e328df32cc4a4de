//! Connections that are slow, idle or many do not keep others out.

use std::{convert::Infallible, time::Duration};

use axum::{
    Router,
    body::Bytes,
    response::sse::{Event, Sse},
    routing::{get, post},
};
use futures_util::stream;
use kerncast_server::http::listen;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    sync::oneshot,
};

/// Bytes of a large answer.
const LARGE: usize = 8 << 20;

async fn long() -> &'static str {
    tokio::time::sleep(Duration::from_secs(29 * 60)).await;
    "at last"
}

struct Server {
    address: std::net::SocketAddr,
    stop: oneshot::Sender<()>,
    task: tokio::task::JoinHandle<()>,
}

async fn serve(most: usize) -> Server {
    let router = Router::new()
        .route("/", get(|| async { "here" }))
        .route(
            "/",
            post(|body: Bytes| async move { body.len().to_string() }),
        )
        .route("/never", get(std::future::pending::<()>))
        .route("/large", get(async || vec![b'.'; LARGE]))
        .route("/v1/decisions", post(long))
        .route("/v1/models/{id}/acceptance", post(long))
        .route("/v1/samples", post(long))
        .route(
            "/slow",
            get(async || {
                tokio::time::sleep(Duration::from_secs(20)).await;
                "at last"
            }),
        )
        .route(
            "/events",
            get(async || Sse::new(stream::pending::<Result<Event, Infallible>>())),
        );
    // Accepted connections have it too: what is not read waits here, not with the kernel.
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_send_buffer_size(16 << 10).unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(1024).unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let task = tokio::spawn(listen::serve(listener, most, None, router, async {
        let _ = stopped.await;
    }));
    Server {
        address,
        stop,
        task,
    }
}

impl Server {
    async fn send(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        stream
    }

    async fn is_answered(&self) -> bool {
        let mut stream = self
            .send("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            .await;
        all(&mut stream).await.ends_with("here")
    }
}

/// What comes until the connection ends.
async fn all(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text).await;
    String::from_utf8(text).unwrap()
}

/// Until something comes.
async fn some(stream: &mut TcpStream) -> String {
    let mut bytes = [0; 1024];
    let n = stream.read(&mut bytes).await.unwrap();
    String::from_utf8(bytes[..n].to_vec()).unwrap()
}

#[tokio::test]
async fn who_waits_longest_makes_room_for_a_newcomer() {
    let server = serve(4).await;
    let mut idle = Vec::new();
    for text in ["", "GET / HT", "GET / HTTP/1.1\r\nhost: x\r\n\r\n"] {
        let mut stream = server.send(text).await;
        if text.ends_with("\r\n\r\n") {
            assert!(some(&mut stream).await.ends_with("here"));
        }
        // In this order.
        tokio::time::sleep(Duration::from_millis(50)).await;
        idle.push(stream);
    }
    let mut answering = server.send("GET /never HTTP/1.1\r\nhost: x\r\n\r\n").await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(server.is_answered().await, "the first makes room");
    assert_eq!(all(&mut idle[0]).await, "");
    let mut events = server.send("GET /events HTTP/1.1\r\nhost: x\r\n\r\n").await;
    assert!(some(&mut events).await.contains("text/event-stream"));
    for _ in 0..4 {
        // Newcomers that hold their connections, and ask.
        idle.push(
            server
                .send("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n12")
                .await,
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(server.is_answered().await);
    }
    answering.write_all(b"more").await.unwrap();
    let mut byte = [0];
    let open = tokio::time::timeout(Duration::from_millis(100), answering.read(&mut byte)).await;
    assert!(open.is_err(), "who is answered is not put out");
}

#[tokio::test(start_paused = true)]
async fn slow_headers_end() {
    let server = serve(4).await;
    let start = tokio::time::Instant::now();
    let mut stream = server.send("GET / HTTP/1.1\r\nhost: x\r\n").await;
    let answer = all(&mut stream).await;
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 408"),
        "{answer}"
    );
    assert!(start.elapsed() < Duration::from_secs(40));
}

#[tokio::test(start_paused = true)]
async fn an_answer_comes_in_time_or_says_that_it_does_not() {
    let server = serve(4).await;
    let ask = |path: &str| format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    let answer = all(&mut server.send(&ask("/slow")).await).await;
    assert!(answer.ends_with("at last"), "{answer}");
    let answer = all(&mut server.send(&ask("/never")).await).await;
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    assert!(answer.contains("retry-after: 1") && answer.contains("application/problem+json"));
}

#[tokio::test]
async fn what_is_under_way_ends_before_the_server() {
    let server = serve(4).await;
    let mut idle = server.send("").await;
    let mut stream = server
        .send("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\n12")
        .await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    server.stop.send(()).unwrap();
    assert_eq!(
        all(&mut idle).await,
        "",
        "who asks for nothing is not waited for"
    );
    stream.write_all(b"34").await.unwrap();
    assert!(all(&mut stream).await.ends_with('4'));
    server.task.await.unwrap();
}

impl Server {
    /// How many bytes of the large answer come where so many are read every so often.
    async fn reads(&self, bytes: usize, pause: Duration) -> usize {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(16 << 10).unwrap();
        let mut stream = socket.connect(self.address).await.unwrap();
        let ask = b"GET /large HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
        stream.write_all(ask).await.unwrap();
        let (mut all, mut piece) = (0, vec![0; bytes]);
        loop {
            tokio::time::sleep(pause).await;
            let mut of_piece = 0;
            while of_piece < bytes {
                match stream.read(&mut piece[of_piece..]).await {
                    Ok(0) | Err(_) => return all + of_piece,
                    Ok(n) => of_piece += n,
                }
            }
            all += bytes;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn who_reads_too_slowly_is_cut_off() {
    let server = serve(4).await;
    let start = tokio::time::Instant::now();
    let read = server.reads(4 << 10, Duration::from_secs(2)).await;
    let took = start.elapsed().as_secs();
    assert!(read < LARGE / 8 && took < 120, "{read} bytes in {took} s");
}

#[tokio::test(start_paused = true)]
async fn who_reads_slowly_gets_all_of_it() {
    let server = serve(4).await;
    let read = server.reads(50_000, Duration::from_secs(1)).await;
    assert!(read > LARGE, "{read} of {LARGE}");
}

#[tokio::test]
async fn who_is_slow_to_read_makes_room_where_nobody_else_can() {
    let server = serve(2).await;
    let ask = "GET /large HTTP/1.1\r\nhost: x\r\n\r\n";
    let mut slow = Vec::new();
    for _ in 0..2 {
        slow.push(server.send(ask).await);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(server.is_answered().await);
}

#[tokio::test(start_paused = true)]
async fn what_may_take_long_is_waited_for() {
    let server = serve(4).await;
    for (path, expected) in [
        ("/v1/decisions", "HTTP/1.1 200"),
        ("/v1/models/7/acceptance", "HTTP/1.1 200"),
        ("/v1/samples", "HTTP/1.1 503"),
    ] {
        let ask = format!(
            "POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        );
        let answer = all(&mut server.send(&ask).await).await;
        assert!(answer.starts_with(expected), "{path}: {answer}");
    }
}
