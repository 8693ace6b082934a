#ifndef CDATENAMES_H
#define CDATENAMES_H

/// Returns a line for each month (m1 to m12) and weekday (d0 to d6, from Sunday on), with its names.
const char *_Nonnull date_names(void);

#endif
