import { createContext, useContext } from 'react'
import type { Actor } from '../../core/actor.ts'
import type { Tone } from '../column.ts'
import type { Format } from '../format.ts'
import type { Texts } from '../texts.ts'
import type { CommandToolkit, Display } from '../toolkit.ts'

/** What is asked, and who asks. */
export interface Gateway {
  toolkit: CommandToolkit
  actor: Actor
  display: Display
  remote: boolean
  /** How it is called on the screens. */
  name: string
}

/** What every screen has to do with the world around it. */
export interface Desk extends Texts {
  readonly toolkit: CommandToolkit
  readonly actor: Actor
  /** Amounts and times as of now. */
  readonly format: Format
  /** Whether amounts are shown as money. */
  readonly inCurrency: boolean
  /** What the whole may fill, and what a screen may. */
  readonly columns: number
  readonly rows: number
  readonly color: boolean
  /** How often to look again, in milliseconds. */
  readonly pace: Pace
  readonly gateway: string
  /** What is said on the line above the keys, until the next key. */
  readonly message: Message | undefined
  readonly question: Question | undefined
  readonly help: boolean
  /** Keys of the screens that the actor may see: `1–7`, or `1 3 6`. */
  readonly digits: string
  tell(text: string, tone?: Tone): void
  /** Does what takes a moment, and says how it went. One thing at a time: what is asked for meanwhile is not done. */
  act(doing: string, work: Work): void
  /** Asks, and does it when the answer is yes. */
  ask(text: string, then: () => void): void
  /** What to say about an error. */
  reason(error: unknown): string
  leave(interrupted?: boolean): void
  /** Reads again who is signed in: somebody may have signed in meanwhile. */
  signInAgain(): void
}

export interface Message {
  text: string
  tone?: Tone | undefined
  /** Something is being done. */
  busy?: true
}

/** Answers what to say; a text alone is good news. */
export type Work = () => Promise<string | Message>

export interface Question {
  text: string
  then: () => void
}

export interface Pace {
  /** For the newest log rows alone. */
  fast: number
  /** For what costs more than a call. */
  several: number
  /** For what is seldom another. */
  slow: number
  /** For the figures that need a call each. */
  rare: number
  /** Until what failed is tried again; longer when it fails again. */
  retry: number
}

/**
 * A database is cheap to ask. A server counts calls: 180 in three minutes from one address, unless it is told otherwise. One of
 * these makes 40 of them at most, so that four people can look at once.
 */
export const PACE = {
  local: { fast: 2000, several: 2000, slow: 4000, rare: 4000, retry: 2000 },
  remote: { fast: 6000, several: 13_000, slow: 20_000, rare: 60_000, retry: 4000 },
} as const satisfies Record<string, Pace>

export const DeskContext = createContext<Desk | undefined>(undefined)

export function useDesk(): Desk {
  const desk = useContext(DeskContext)
  if (!desk) throw new Error('a screen stands on a desk')
  return desk
}

/** How Ink shows a tone, where colour is wanted. */
export function paint(tone: Tone | undefined, color: boolean): { color?: string; dimColor?: true } {
  if (tone === 'faint') return { dimColor: true }
  if (tone === undefined || !color) return {}
  return { color: tone === 'good' ? 'green' : 'red' }
}
