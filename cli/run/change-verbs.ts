import type { Command } from '../command.ts'

/** Verbs whose exit code 2 means changes, so that a usage error has to exit with 1. */
export const CHANGE_VERBS = new WeakSet<Command>()
