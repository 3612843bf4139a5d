/* Arduino compiles what lies in src: the sources themselves stay where they are. */
#include "TableDevice.h"

#include "../shoe.c"
