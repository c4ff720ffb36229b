//! Who may ask: whoever has the token that the program printed, from our own page, on this machine.
//!
//! A page of another site, or of another port of this machine, can make a browser send requests here, and a name of its own
//! can lead here (DNS rebinding). A browser sends cookies to every port of a host, so there are none: the page keeps the
//! token and sends it in a header, which no other page can. Beside that every request needs our own Host and no foreign
//! Origin. Only the files of the page itself, which hold no data, are open without the token.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::answer::Refusal;
use crate::secret::{self, Tickets};

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

/// Headers of every answer, also of refusals.
const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The header that carries the token; `Authorization: Bearer` does as well.
const TOKEN_HEADER: &str = "x-paretonym-token";

/// What a request is held against.
#[derive(Clone)]
pub struct Guard {
    token: Arc<str>,
    tickets: Arc<Tickets>,
    port: u16,
}

impl Guard {
    /// With a token that nobody can guess.
    pub fn new(port: u16, tickets: Arc<Tickets>) -> std::io::Result<Self> {
        Ok(Guard { token: secret::random()?.into(), tickets, port })
    }

    /// The address to open.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.token)
    }

    /// Why a request is refused, if it is.
    fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        self.check_sender(method, uri, headers)?;
        if !self.may_ask(method, uri, headers) {
            let message = "the token is missing or wrong; open the address that `paretonym serve` printed";
            return Err(Refusal::new(StatusCode::UNAUTHORIZED, message));
        }
        let changes = !matches!(*method, Method::GET | Method::HEAD);
        let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        // A form of another site cannot send these kinds without asking first, and is not answered then.
        if changes && !matches!(kind, "application/json" | "application/octet-stream") {
            let message = "send Content-Type: application/json, or application/octet-stream for a file";
            return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
        }
        Ok(())
    }

    /// Whether a request was meant for us and comes from our own page, or from no page at all.
    fn check_sender(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let forbidden = |message: &str| Err(Refusal::new(StatusCode::FORBIDDEN, message));
        let own_host = |host: &str| {
            host == format!("127.0.0.1:{}", self.port) || host.eq_ignore_ascii_case(&format!("localhost:{}", self.port))
        };
        let hosts: Vec<&HeaderValue> = headers.get_all(header::HOST).iter().collect();
        let host = match hosts.as_slice() {
            [host] => host.to_str().ok().filter(|host| own_host(host)),
            _ => None,
        };
        let Some(host) = host.filter(|_| uri.authority().is_none_or(|authority| own_host(authority.as_str()))) else {
            return forbidden("this server answers to 127.0.0.1 and localhost only; open the address that it printed");
        };
        let own_origin = |origin: &HeaderValue| {
            let origin = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
            origin.is_some_and(|origin| origin.eq_ignore_ascii_case(host))
        };
        if !headers.get_all(header::ORIGIN).iter().all(own_origin) {
            return forbidden("a page of another site asked for this");
        }
        // Another port of this machine counts as the same site to a browser. What other pages may do is what a link does:
        // open the page, in a window of its own.
        let word = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let is_link = method == Method::GET
            && uri.path() == "/"
            && word("sec-fetch-mode") == Some("navigate")
            && word("sec-fetch-dest") == Some("document");
        if !matches!(word("sec-fetch-site"), None | Some("same-origin" | "none")) && !is_link {
            return forbidden("a page of another site asked for this");
        }
        Ok(())
    }

    /// Whether a request has what it needs: for the files of the page nothing, for a download a ticket, for all else the
    /// token. None of several tokens can hide behind another.
    fn may_ask(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> bool {
        let mut tokens: Vec<&str> = in_query(uri, "token").collect();
        tokens.extend(headers.get_all(TOKEN_HEADER).iter().map(|value| value.to_str().unwrap_or_default()));
        let bearers = headers.get_all(header::AUTHORIZATION).iter();
        tokens.extend(
            bearers
                .map(|value| value.to_str().ok().and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default()),
        );
        if !tokens.is_empty() {
            return tokens.iter().all(|token| secret::same(&self.token, token));
        }
        let reads = matches!(*method, Method::GET | Method::HEAD);
        if reads && (uri.path() == "/" || uri.path().starts_with("/assets/")) {
            return true;
        }
        let mut tickets = in_query(uri, "ticket");
        match (tickets.next(), tickets.next()) {
            (Some(ticket), None) => method == Method::GET && self.tickets.take(ticket, uri.path()),
            _ => false,
        }
    }
}

/// The values of a name in a query.
fn in_query<'u>(uri: &'u Uri, name: &'u str) -> impl Iterator<Item = &'u str> {
    let pairs = uri.query().unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
    pairs.filter(move |(own, _)| *own == name).map(|(_, value)| value)
}

/// Stands before everything.
pub async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut answer = match guard.check(request.method(), request.uri(), request.headers()) {
        Err(refusal) => refusal.into_response(),
        Ok(()) => next.run(request).await,
    };
    for (name, value) in HEADERS {
        answer.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: (&str, &str) = ("host", "127.0.0.1:8000");

    fn guard() -> Guard {
        Guard::new(8000, Arc::default()).unwrap()
    }

    fn status(guard: &Guard, uri: &str, headers: &[(&str, &str)]) -> u16 {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(HeaderName::from_bytes(name.as_bytes()).unwrap(), HeaderValue::from_str(value).unwrap());
        }
        guard
            .check(&Method::GET, &uri.parse().unwrap(), &map)
            .map_or_else(|error| error.into_response().status().as_u16(), |()| 200)
    }

    #[test]
    fn the_token_in_a_header_or_the_address_but_never_in_a_cookie() {
        let guard = guard();
        let own = guard.token.to_string();
        let bearer = format!("Bearer {own}");
        assert_eq!(status(&guard, "/api/state", &[HOST, ("x-paretonym-token", &own)]), 200);
        assert_eq!(status(&guard, "/api/state", &[HOST, ("authorization", &bearer)]), 200);
        assert_eq!(status(&guard, &format!("/api/state?token={own}"), &[HOST]), 200);
        for name in ["paretonym-8000", "token", "paretonym", "x-paretonym-token"] {
            assert_eq!(status(&guard, "/api/state", &[HOST, ("cookie", &format!("{name}={own}"))]), 401, "{name}");
        }
        let wrong: String = own.chars().rev().collect();
        for (uri, header, value) in [
            ("/api/state".to_owned(), "x-paretonym-token", ""),
            ("/api/state".to_owned(), "x-paretonym-token", wrong.as_str()),
            ("/api/state".to_owned(), "x-paretonym-token", &own[1..]),
            ("/api/state".to_owned(), "authorization", own.as_str()),
            ("/api/state".to_owned(), "authorization", &format!("Basic {own}")),
            (format!("/api/state?token={own}"), "x-paretonym-token", wrong.as_str()),
            (format!("/api/state?token={wrong}"), "x-paretonym-token", own.as_str()),
            (format!("/api/state?token={own}&token={wrong}"), "accept", "*/*"),
            ("/api/state?token=".to_owned(), "accept", "*/*"),
            (format!("/?token={wrong}"), "accept", "*/*"),
            ("/api".to_owned(), "accept", "*/*"),
            ("/nothing".to_owned(), "accept", "*/*"),
        ] {
            assert_eq!(status(&guard, &uri, &[HOST, (header, value)]), 401, "{uri} {header}: {value}");
        }
        assert_eq!((status(&guard, "/", &[HOST]), status(&guard, "/assets/main.js", &[HOST])), (200, 200));
    }

    #[test]
    fn a_ticket_opens_its_path_once() {
        let guard = guard();
        let path = "/api/runs/x/releases/y.csv";
        let ticket = guard.tickets.give(path).unwrap();
        assert_eq!(status(&guard, &format!("/api/state?ticket={ticket}"), &[HOST]), 401);
        assert_eq!(status(&guard, &format!("{path}?ticket={ticket}&ticket={ticket}"), &[HOST]), 401);
        assert_eq!(status(&guard, &format!("{path}?ticket={ticket}"), &[HOST, ("sec-fetch-site", "same-site")]), 403);
        assert_eq!(status(&guard, &format!("{path}?ticket={ticket}"), &[HOST]), 200);
        assert_eq!(status(&guard, &format!("{path}?ticket={ticket}"), &[HOST]), 401);
    }

    #[test]
    fn our_own_host_and_no_foreign_origin() {
        let guard = guard();
        let uri = format!("/?token={}", guard.token);
        for host in ["127.0.0.1:8000", "localhost:8000", "LOCALHOST:8000"] {
            let origin = format!("http://{host}");
            assert_eq!(status(&guard, &uri, &[("host", host), ("origin", &origin)]), 200, "{host}");
        }
        for host in ["example.org", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8000.example.org", "localhost:8000@x", ""] {
            assert_eq!(status(&guard, &uri, &[("host", host)]), 403, "{host}");
        }
        assert_eq!(status(&guard, &uri, &[]), 403);
        let host = ("host", "localhost:8000");
        assert_eq!(status(&guard, &uri, &[host, host]), 403);
        let origins =
            ["null", "http://127.0.0.1:8001", "http://127.0.0.1:8000", "https://localhost:8000", "http://x.org", ""];
        for origin in origins {
            assert_eq!(status(&guard, &uri, &[host, ("origin", origin)]), 403, "{origin}");
        }
    }

    #[test]
    fn other_pages_may_open_the_page_and_nothing_else() {
        let guard = guard();
        let (page, api) = (format!("/?token={}", guard.token), format!("/api/state?token={}", guard.token));
        let link = [("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
        let frame = [("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")];
        let script = [("sec-fetch-mode", "no-cors"), ("sec-fetch-dest", "script")];
        for site in ["same-site", "cross-site", "whatever"] {
            let from = |uri: &str, how: [(&'static str, &'static str); 2]| {
                status(&guard, uri, &[HOST, ("sec-fetch-site", site), how[0], how[1]])
            };
            assert_eq!((from(&page, link), from("/", link)), (200, 200), "{site}");
            assert_eq!(
                (from(&page, frame), from("/", script), from("/assets/main.js", script)),
                (403, 403, 403),
                "{site}"
            );
            assert_eq!((from(&api, link), from(&api, frame), from(&api, script)), (403, 403, 403), "{site}");
        }
        assert_eq!(status(&guard, &api, &[HOST, ("sec-fetch-site", "same-origin")]), 200);
        assert_eq!(status(&guard, &api, &[HOST, ("sec-fetch-site", "none")]), 200);
    }

    #[test]
    fn tokens_differ() {
        assert_ne!(guard().token, guard().token);
        assert_eq!(guard().token.len(), 48);
    }
}
