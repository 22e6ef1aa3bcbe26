import type { TFunction } from 'i18next'
import { CHANNEL_STATUS, type Channel, type CircuitStatus } from '../../api/channels.ts'
import type { BadgeStyle } from '../../components/status-tag.tsx'
import { localTime } from '../../components/times.ts'

const GOOD_MS = 1000
const FAIR_MS = 3000
const SLOW_MS = 5000

/** Returns a label for the duration or failure of the last test. `milliseconds` is 0 for an untested channel. */
export function responseTimeBadge(t: TFunction, milliseconds: number, otherInfo = ''): BadgeStyle & { hint?: string } {
  if (milliseconds === 0) return { text: t('channel.untested'), color: 'gray' }
  const { test_failure: failure } = objectIn(otherInfo)
  if (typeof failure === 'string') return { text: t('channel.testFailedShort'), color: 'red', hint: failure }
  const text = t('channel.seconds', { seconds: (milliseconds / 1000).toFixed(2) })
  if (milliseconds <= GOOD_MS) return { text, color: 'green' }
  if (milliseconds <= FAIR_MS) return { text, color: 'lime' }
  return { text, color: milliseconds <= SLOW_MS ? 'yellow' : 'red' }
}

export function statusBadge(
  t: TFunction,
  { status, other_info }: Pick<Channel, 'status' | 'other_info'>,
): BadgeStyle & { hint?: string | undefined; reason?: string | undefined } {
  switch (status) {
    case CHANNEL_STATUS.enabled:
      return { text: t('channel.state.enabled'), color: 'green' }
    case CHANNEL_STATUS.disabled:
      return { text: t('channel.state.disabled'), color: 'red' }
    case CHANNEL_STATUS.autoDisabled:
      return {
        text: t('channel.state.autoDisabled'),
        color: 'yellow',
        hint: reasonIn(t, other_info),
        reason: textIn(other_info),
      }
    default:
      return { text: t('channel.state.unknown'), color: 'gray' }
  }
}

function textIn(otherInfo: string): string | undefined {
  const { status_reason: reason } = objectIn(otherInfo)
  return typeof reason === 'string' ? reason : undefined
}

/** Returns the reason and the time of the status as text; undefined if `otherInfo` has no reason. */
function reasonIn(t: TFunction, otherInfo: string): string | undefined {
  const info = objectIn(otherInfo)
  if (typeof info.status_reason !== 'string') return undefined
  const time = typeof info.status_time === 'number' ? localTime(info.status_time) : '–'
  return t('channel.reason', { reason: info.status_reason, time })
}

function objectIn(json: string): { status_reason?: unknown; status_time?: unknown; test_failure?: unknown } {
  try {
    const value: unknown = JSON.parse(json || '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {} // other tools may have written other text to this field
  }
}

export function circuitBadge(t: TFunction, circuit: CircuitStatus): BadgeStyle & { hint: string } {
  const { scope, subject, reason, retry_at, state } = circuit
  const word = scope === 'limit' ? 'limited' : state === 'open' ? 'open' : 'probing'
  const scopeText = t(`channel.circuit.of.${scope}`, { subject })
  return {
    text: t(`channel.circuit.${word}`),
    color: 'orange',
    hint: t('channel.circuit.hint', { what: scopeText, reason, time: localTime(retry_at) }),
  }
}
