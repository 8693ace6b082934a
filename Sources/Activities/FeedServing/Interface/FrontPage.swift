/// The page at the server's address for users with a browser.
enum FrontPage {
  static let answer = HTTPAnswer(type: "text/html; charset=utf-8", Array(html.utf8))
    .adding("Content-Security-Policy", policy)

  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

  private static let html = """
    <!DOCTYPE html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>news</title>
    <style>body{max-width:36em;margin:2em auto;padding:0 1em;font:1em/1.5 sans-serif}</style>
    <h1>news</h1>
    <p>This is the server of <code>news</code>, a feed reader for the command line. It answers apps
    that speak the Google Reader API; there is nothing to read in a browser.</p>
    <h2>To set up an app</h2>
    <ol>
    <li>Make a password on the machine that serves: <code>news serve password</code>.</li>
    <li>In the app, add an account of the kind “Google Reader API” or “FreshRSS”.</li>
    <li>As the server's address, give this page's address, without anything behind it.</li>
    <li>As the user's name, give any, such as <code>reader</code>, and that password.</li>
    </ol>
    </html>

    """
}
