import { createContext, useContext } from 'react'
import type { Actor } from '../../core/actor.ts'
import type { LogFilterOptions } from '../input/log-filter.ts'
import type { Tone } from '../output/column.ts'
import type { Format } from '../output/format.ts'
import type { Texts } from '../texts.ts'
import type { CommandToolkit, Display } from '../toolkit.ts'
import type { ScreenEntry } from './screens.ts'

/** The gateway and the acting user. */
export interface UiGateway {
  toolkit: CommandToolkit
  actor: Actor
  display: Display
  remote: boolean
  /** Name of the gateway on the screens. */
  name: string
}

/** Shared state and functions of all screens. */
export interface UiState extends Texts {
  readonly toolkit: CommandToolkit
  readonly actor: Actor
  /** Formats amounts, and times relative to the current time. */
  readonly format: Format
  /** Whether amounts are shown as money. */
  readonly inCurrency: boolean
  /** Quota for one dollar. */
  readonly quotaPerUnit: number
  /** Size of the terminal. */
  readonly columns: number
  readonly rows: number
  readonly color: boolean
  /** Reload intervals, in milliseconds. */
  readonly intervals: ReloadIntervals
  readonly gateway: string
  /** Message above the list of keys, shown until the next key press. */
  readonly message: UiMessage | undefined
  readonly question: PendingQuestion | undefined
  readonly help: boolean
  /** Whether the `:` command line is open. */
  readonly isCommandLineOpen: boolean
  /** Start values from the `:` command line; empty if a key opened the screen. */
  readonly start: ScreenStart
  /** Screens that the actor can open. */
  readonly screens: readonly ScreenEntry[]
  /** Keys of these screens: `1–7`, or `1 3 6`. */
  readonly digits: string
  notify(text: string, tone?: Tone): void
  /** Runs work and shows its result. Ignores calls while other work runs. */
  run(doing: string, work: Work): void
  /** Shows a question and calls `then` if confirmed. */
  confirm(text: string, then: () => void): void
  /** Returns the message of an error. */
  reason(error: unknown): string
  /** Opens a screen by its name. Returns false if there is no such screen. */
  openScreen(name: string, start?: ScreenStart): boolean
  showHelp(isOpen: boolean): void
  /** Opens or closes the `:` command line. */
  showCommand(isOpen: boolean): void
  exit(interrupted?: boolean): void
  /** Reloads the session, which may have changed. */
  signInAgain(): void
}

/** Start values of a screen. */
export interface ScreenStart {
  /** Search text. */
  keyword?: string
  /** Filter of log rows. */
  filter?: LogFilterOptions
}

export interface UiMessage {
  text: string
  tone?: Tone | undefined
  /** Whether work is running. */
  busy?: true
}

/** Returns the message; a plain string means success. */
export type Work = () => Promise<string | UiMessage>

export interface PendingQuestion {
  text: string
  then: () => void
}

interface ReloadIntervals {
  /** For the newest log rows. */
  fast: number
  /** For data that needs several calls. */
  several: number
  /** For data that rarely changes. */
  slow: number
  /** For figures that need one call each. */
  rare: number
  /** First delay after a failure. The delay increases with each failure. */
  retry: number
  /** Delay of a search after the last key. */
  typing: number
}

/**
 * Reload intervals. A local database is cheap to query. A server's default limit is 180 calls in three minutes per
 * address. One UI makes at most 40 calls in three minutes, so that four users of one address can use the UI at the same
 * time.
 */
export const PACE = {
  local: { fast: 2000, several: 2000, slow: 4000, rare: 4000, retry: 2000, typing: 120 },
  remote: { fast: 6000, several: 13_000, slow: 20_000, rare: 60_000, retry: 4000, typing: 500 },
} as const satisfies Record<string, ReloadIntervals>

export const UiContext = createContext<UiState | undefined>(undefined)

export function useUi(): UiState {
  const ui = useContext(UiContext)
  if (!ui) throw new Error('useUi must be used inside UiContext')
  return ui
}

const COLORS = { good: 'green', warn: 'yellow', bad: 'red', money: 'cyan' } as const

/** Returns the Ink properties of a tone. Without color, only `faint` has properties. */
export function paint(tone: Tone | undefined, color: boolean): { color?: string; dimColor?: true } {
  if (tone === 'faint') return { dimColor: true }
  if (tone === undefined || !color) return {}
  return { color: COLORS[tone] }
}
