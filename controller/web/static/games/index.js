// Which module draws which game.

import * as wheel from "./wheel.js";

export const GAMES = { wheel };
