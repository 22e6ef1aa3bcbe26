import type { Command } from '../command.ts'

/** Verbs that exit with 2 if there are changes. A usage error of these verbs exits with 1. */
export const CHANGE_VERBS = new WeakSet<Command>()
