import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { type BadgeStyle, StatusTag } from '../status-tag.tsx'

const COLORS = {
  SUCCESS: 'green',
  NOT_START: 'gray',
  SUBMITTED: 'gold',
  IN_PROGRESS: 'blue',
  FAILURE: 'red',
  MODAL: 'orange',
  QUEUED: 'cyan',
  UNKNOWN: 'gray',
} as const

/** States that a task does not leave. */
const FINISHED = ['SUCCESS', 'FAILURE']
export const isUnfinished = ({ status }: { status: string }): boolean => !FINISHED.includes(status)

export function taskStatusBadge(t: TFunction, status: string): BadgeStyle {
  if (status === '') return { color: 'gray', text: t('task.state.submitting') }
  const knownStatus = isKnown(status) ? status : 'UNKNOWN'
  return { color: COLORS[knownStatus], text: t(`task.state.${knownStatus}`) }
}

export function TaskStatus({ status }: { status: string }) {
  const { t } = useTranslation()
  return <StatusTag {...taskStatusBadge(t, status)} />
}

const isKnown = (status: string): status is keyof typeof COLORS => Object.hasOwn(COLORS, status)
