//! Who may ask: whoever has the token that the program printed, from our own page, on this machine.
//!
//! A page of another site can make a browser send requests here, and a name of its own can lead here (DNS rebinding). So
//! every request, of whatever kind, needs the token or its cookie, our own Host, and no foreign Origin.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

use crate::answer::Refusal;

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

/// What a request is held against.
#[derive(Clone)]
pub struct Guard {
    token: Arc<str>,
    port: u16,
}

impl Guard {
    /// With a token that nobody can guess.
    pub fn new(port: u16) -> std::io::Result<Self> {
        let mut bytes = [0u8; 24];
        getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
        let token: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Guard { token: token.into(), port })
    }

    /// The address to open.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.token)
    }

    /// Browsers keep cookies by host, not by port: two servers must not take each other's.
    fn cookie_name(&self) -> String {
        format!("paretonym-{}", self.port)
    }

    /// Why a request is refused, if it is.
    fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let forbidden = |message: &str| Err(Refusal::new(StatusCode::FORBIDDEN, message));
        let hosts: Vec<&HeaderValue> = headers.get_all(header::HOST).iter().collect();
        let own_host = |host: &str| {
            host == format!("127.0.0.1:{}", self.port) || host.eq_ignore_ascii_case(&format!("localhost:{}", self.port))
        };
        let host_fits = matches!(hosts.as_slice(), [host] if host.to_str().is_ok_and(own_host));
        if !host_fits || uri.authority().is_some_and(|authority| !own_host(authority.as_str())) {
            return forbidden("this server answers to 127.0.0.1 and localhost only; open the address that it printed");
        }
        let own_origin = |origin: &HeaderValue| {
            origin.to_str().is_ok_and(|origin| origin.strip_prefix("http://").is_some_and(own_host))
        };
        if !headers.get_all(header::ORIGIN).iter().all(own_origin) {
            return forbidden("a page of another site asked for this");
        }
        // What other sites may do is what a link does: open the page.
        let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
        let opens_page = method == Method::GET && uri.path() == "/";
        if matches!(site, Some("cross-site" | "same-site")) && !opens_page {
            return forbidden("a page of another site asked for this");
        }
        let in_query = token_in(uri);
        let fits = match &in_query {
            Some(token) => self.is_token(token),
            None => self.cookies(headers).any(|cookie| self.is_token(cookie)),
        };
        if !fits {
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

    fn cookies<'h>(&self, headers: &'h HeaderMap) -> impl Iterator<Item = &'h str> {
        let name = self.cookie_name();
        let texts = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        texts.flat_map(|text| text.split(';')).filter_map(move |pair| {
            let (own, value) = pair.trim().split_once('=')?;
            (own == name).then_some(value)
        })
    }

    /// Takes the same time wherever a wrong token differs.
    fn is_token(&self, text: &str) -> bool {
        let (own, other) = (self.token.as_bytes(), text.as_bytes());
        let differs = own.iter().zip(other).fold(0, |all, (one, two)| std::hint::black_box(all | (one ^ two)));
        own.len() == other.len() && differs == 0
    }
}

/// The value of `token` in a query; of several the last, so that none can hide behind another.
fn token_in(uri: &Uri) -> Option<String> {
    let mut pairs = uri.query()?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.rfind(|(name, _)| *name == "token").map(|(_, value)| value.to_owned())
}

/// Stands before everything.
pub async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut answer = match guard.check(request.method(), request.uri(), request.headers()) {
        Err(refusal) => refusal.into_response(),
        // The token leaves the address bar, and the history with it, for a cookie that scripts cannot read.
        Ok(()) if request.uri().path() == "/" && token_in(request.uri()).is_some() => {
            let cookie = format!("{}={}; HttpOnly; SameSite=Strict; Path=/", guard.cookie_name(), guard.token);
            (StatusCode::SEE_OTHER, [(header::LOCATION, "/".to_owned()), (header::SET_COOKIE, cookie)]).into_response()
        }
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

    fn guard() -> Guard {
        Guard::new(8000).unwrap()
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
    fn the_token_or_its_cookie() {
        let guard = guard();
        let own = guard.token.to_string();
        let host = ("host", "127.0.0.1:8000");
        assert_eq!(status(&guard, &format!("/?token={own}"), &[host]), 200);
        assert_eq!(status(&guard, "/", &[host, ("cookie", &format!("a=b; paretonym-8000={own}"))]), 200);
        let wrong: String = own.chars().rev().collect();
        let cookie = format!("paretonym-8000={own}");
        for (uri, cookie) in [
            ("/".to_owned(), "paretonym-8000="),
            ("/".to_owned(), "paretonym-8001=x"),
            (format!("/?token={}", &own[1..]), ""),
            (format!("/?token={wrong}"), cookie.as_str()),
            ("/?token=".to_owned(), ""),
        ] {
            assert_eq!(status(&guard, &uri, &[host, ("cookie", cookie)]), 401, "{uri} {cookie}");
        }
    }

    #[test]
    fn our_own_host_and_no_foreign_origin() {
        let guard = guard();
        let uri = format!("/?token={}", guard.token);
        for host in ["127.0.0.1:8000", "localhost:8000", "LOCALHOST:8000"] {
            assert_eq!(status(&guard, &uri, &[("host", host), ("origin", "http://127.0.0.1:8000")]), 200, "{host}");
        }
        for host in ["example.org", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8000.example.org", "localhost:8000@x", ""] {
            assert_eq!(status(&guard, &uri, &[("host", host)]), 403, "{host}");
        }
        assert_eq!(status(&guard, &uri, &[]), 403);
        let host = ("host", "localhost:8000");
        assert_eq!(status(&guard, &uri, &[host, host]), 403);
        for origin in ["null", "http://127.0.0.1:8001", "https://127.0.0.1:8000", "http://example.org", ""] {
            assert_eq!(status(&guard, &uri, &[host, ("origin", origin)]), 403, "{origin}");
        }
        let api = format!("/api/state?token={}", guard.token);
        assert_eq!(status(&guard, &api, &[host, ("sec-fetch-site", "same-site")]), 403);
        assert_eq!(status(&guard, &uri, &[host, ("sec-fetch-site", "cross-site")]), 200);
        assert_eq!(status(&guard, &api, &[host, ("sec-fetch-site", "same-origin")]), 200);
    }

    #[test]
    fn tokens_differ() {
        assert_ne!(guard().token, guard().token);
        assert_eq!(guard().token.len(), 48);
    }
}
