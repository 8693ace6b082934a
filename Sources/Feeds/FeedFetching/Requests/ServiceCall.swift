package import System

/// A call of a service's interface for programs, in place of a document.
///
/// No redirect of it is followed, and over plain http it goes into private networks alone, as it
/// carries secrets.
package struct ServiceCall: Hashable, Sendable {
  package enum Method: String, CaseIterable, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  /// The place of the password: the form's `Passwd`, Basic (RFC 7617), or `X-Auth-Token`.
  package enum LogIn: CaseIterable, Sendable {
    case form, basic, token
  }

  package var method = Method.get
  /// The form that is posted (`application/x-www-form-urlencoded`).
  package var form: String?
  /// The JSON that is sent.
  package var json: String?
  package var authorization: String?
  /// The user whose password goes along: the output of the request's command, else the one of
  /// `~/.netrc` for the host and this user.
  package var user: String?
  package var logIn = LogIn.form
  /// True for a call that takes back what it does where it is made twice: it is never repeated, not
  /// even by libcurl, which does so on a connection that was open before.
  package var isToggle = false
  /// The texts that stand for the password, such as tokens; an answer that has a word of them is
  /// not shown.
  package var secrets: [String] = []

  package init(form: String? = nil, authorization: String? = nil, user: String? = nil) {
    (self.form, self.authorization, self.user) = (form, authorization, user)
    if form != nil { method = .post }
  }

  package static func form(_ fields: [(String, String)]) -> String {
    fields.map { name, value in "\(name)=\(escaped(value))" }.joined(separator: "&")
  }

  package static func escaped(_ text: String) -> String {
    text.utf8.percentEncoded { $0.isUnreservedInURL }
  }

  func headerLines(token: String?) -> [String] {
    let fields = [
      ("Authorization", authorization), ("X-Auth-Token", token),
      ("Content-Type", json.map { _ in "application/json" }),
    ]
    // Not every server understands `Expect`, which libcurl sends with long forms.
    return ["Accept: application/json, text/plain;q=0.9, */*;q=0.5", "Expect:"]
      + fields.compactMap { name, value in
        value.flatMap { HTTPField.isSafe($0) ? "\(name): \($0)" : nil }
      }
  }
}

extension ServiceCall: RecordValue {
  package static let blank = ServiceCall()

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&method, among: Method.allCases)
    coder.code(&form, .own)
    coder.code(&json, .own)
    coder.code(&authorization, .own)
    coder.code(&user, .own)
    coder.code(&logIn, among: LogIn.allCases)
    coder.code(&isToggle)
    coder.code(&secrets, .own)
  }
}
