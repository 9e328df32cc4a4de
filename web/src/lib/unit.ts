/** The unit of what the shown model forecasts, for every number in its figure. */
import { createContext } from "svelte";

export const [unit, setUnit] = createContext<() => string>();
