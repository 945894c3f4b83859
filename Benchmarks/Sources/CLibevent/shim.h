#include <event2/event.h>
