import type { TFunction } from 'i18next'
import type { BadgeStyle } from '../../components/status-tag.tsx'

const ACTION_COLORS = {
  IMAGINE: 'blue',
  UPSCALE: 'orange',
  VARIATION: 'purple',
  HIGH_VARIATION: 'purple',
  LOW_VARIATION: 'purple',
  PAN: 'cyan',
  DESCRIBE: 'gold',
  BLEND: 'lime',
  UPLOAD: 'blue',
  SHORTEN: 'magenta',
  REROLL: 'arcoblue',
  INPAINT: 'pinkpurple',
  ZOOM: 'cyan',
  CUSTOM_ZOOM: 'cyan',
  MODAL: 'green',
  SWAP_FACE: 'green',
} as const

const CODES = {
  0: { color: 'gold', name: 'none' },
  1: { color: 'green', name: 'submitted' },
  21: { color: 'lime', name: 'waiting' },
  22: { color: 'orange', name: 'duplicate' },
} as const

export function actionBadge(t: TFunction, action: string): BadgeStyle {
  const knownValue = Object.hasOwn(ACTION_COLORS, action) ? (action as keyof typeof ACTION_COLORS) : undefined
  if (!knownValue) return { color: 'gray', text: action || t('field.unknown') }
  return { color: ACTION_COLORS[knownValue], text: t(`drawing.action.${knownValue}`) }
}

/** Returns a label for the code with which the upstream replied to the submission. */
export function codeBadge(t: TFunction, code: number): BadgeStyle {
  const knownValue = Object.hasOwn(CODES, code) ? CODES[code as keyof typeof CODES] : undefined
  if (!knownValue) return { color: 'gray', text: t('field.unknown') }
  return { color: knownValue.color, text: t(`drawing.code.${knownValue.name}`) }
}
