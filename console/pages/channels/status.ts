import type { TFunction } from 'i18next'
import { CHANNEL_STATUS, type Channel, type CircuitStatus } from '../../api/channels.ts'
import { parseJsonObject } from '../../components/json-text.ts'
import type { BadgeStyle } from '../../components/status-tag.tsx'
import { localTime } from '../../components/times.ts'

const GOOD_MS = 1000
const FAIR_MS = 3000
const SLOW_MS = 5000

/** Returns a label for the duration or failure of the last test. `milliseconds` is 0 for an untested channel. */
export function responseTimeBadge(t: TFunction, milliseconds: number, otherInfo = ''): BadgeStyle & { hint?: string } {
  if (milliseconds === 0) return { text: t('channel.untested'), color: 'gray' }
  const { test_failure: failure } = infoIn(otherInfo)
  if (typeof failure === 'string') return { text: t('channel.testFailedShort'), color: 'red', hint: failure }
  const text = t('task.seconds', { seconds: (milliseconds / 1000).toFixed(2) })
  if (milliseconds <= GOOD_MS) return { text, color: 'green' }
  if (milliseconds <= FAIR_MS) return { text, color: 'lime' }
  return { text, color: milliseconds <= SLOW_MS ? 'yellow' : 'red' }
}

export function statusBadge(
  t: TFunction,
  { status, other_info }: Pick<Channel, 'status' | 'other_info'>,
): BadgeStyle & { hint?: string; reason?: string } {
  switch (status) {
    case CHANNEL_STATUS.enabled:
      return { text: t('channel.state.enabled'), color: 'green' }
    case CHANNEL_STATUS.disabled:
      return { text: t('channel.state.disabled'), color: 'red' }
    case CHANNEL_STATUS.autoDisabled:
      return {
        text: t('channel.state.autoDisabled'),
        color: 'yellow',
        ...reasonIn(t, other_info),
      }
    default:
      return { text: t('field.unknownStatus'), color: 'gray' }
  }
}

/** Returns the reason of the status, and a hint with reason and time; an empty object if `otherInfo` has no reason. */
function reasonIn(t: TFunction, otherInfo: string): { hint?: string; reason?: string } {
  const { status_reason: reason, status_time } = infoIn(otherInfo)
  if (typeof reason !== 'string') return {}
  const time = typeof status_time === 'number' ? localTime(status_time) : '–'
  return { hint: t('channel.reason', { reason, time }), reason }
}

/** Parses the stored information. Ignores text that is no JSON object, because other tools may have written it. */
const infoIn = (json: string): { status_reason?: unknown; status_time?: unknown; test_failure?: unknown } =>
  parseJsonObject(json) ?? {}

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
