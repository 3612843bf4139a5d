// Which module draws which game.

import * as poker from "./poker.js";
import * as war from "./war.js";
import * as wheel from "./wheel.js";

export const GAMES = { wheel, war, poker };
