package import System

/// A call of a service's interface for programs, in place of a document.
///
/// No redirect of it is followed, and over plain http it goes into private networks alone, as it
/// carries secrets.
package struct ServiceCall: Hashable, Sendable {
  /// The form that is posted (`application/x-www-form-urlencoded`); nil asks by GET.
  package var form: String?
  package var authorization: String?
  /// The user whose password is added to the form as `Passwd`: the output of the request's command,
  /// else the one of `~/.netrc` for the host and this user.
  package var user: String?
  /// The texts that stand for the password, such as tokens; an answer that has a word of them is
  /// not shown.
  package var secrets: [String] = []

  package init(form: String? = nil, authorization: String? = nil, user: String? = nil) {
    (self.form, self.authorization, self.user) = (form, authorization, user)
  }

  package static func form(_ fields: [(String, String)]) -> String {
    fields.map { name, value in "\(name)=\(escaped(value))" }.joined(separator: "&")
  }

  package static func escaped(_ text: String) -> String {
    text.utf8.percentEncoded { $0.isUnreservedInURL }
  }

  var headerLines: [String] {
    let who = authorization.flatMap { HTTPField.isSafe($0) ? "Authorization: \($0)" : nil }
    // Not every server understands `Expect`, which libcurl sends with long forms.
    return ["Accept: application/json, text/plain;q=0.9, */*;q=0.5", "Expect:"]
      + [who].compactMap(\.self)
  }
}

extension ServiceCall: RecordValue {
  package static let blank = ServiceCall()

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&form, .own)
    coder.code(&authorization, .own)
    coder.code(&user, .own)
    coder.code(&secrets, .own)
  }
}
