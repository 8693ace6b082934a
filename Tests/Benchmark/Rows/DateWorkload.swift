enum DateWorkload {
  static let rfc822 = [
    "Mon, 18 Mar 2019 14:02:11 GMT", "Wed, 02 Oct 2026 08:15:00 +0200",
    "Sun, 29 Nov 2026 23:59:59 -0500", "Tue, 3 Feb 2026 07:00:01 EST",
  ]
  static let rfc3339 = [
    "2026-10-02T08:15:00Z", "2026-10-02T08:15:00+02:00", "2026-11-29T23:59:59.123-05:00",
    "2019-03-18T14:02:11Z",
  ]
  static let odd = [
    "Monday, 18-Mar-19 14:02:11 GMT", "2026/10/02 08:15", "18 Mar 2019", "2004-july-13T9:15-05:00",
    "lun., 18 mars 2019 14:02:11 +0100", "Fri, 2006/09/15 08:19:53 EDT", "yesterday evening",
  ]
}
