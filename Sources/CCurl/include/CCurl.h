#ifndef NEWS_CCURL_H
#define NEWS_CCURL_H
#endif
