import { useTranslation } from 'react-i18next'
import { LOG_TYPE } from '../api/logs.ts'
import { nameOf, StatusTag } from './status-tag.tsx'

const COLORS = {
  topup: 'green',
  consume: 'blue',
  manage: 'orange',
  system: 'cyan',
  error: 'red',
  unknown: 'gray',
} as const

export function LogType({ type }: { type: number }) {
  const { t } = useTranslation()
  const name = nameOf(LOG_TYPE, type) ?? 'unknown'
  return <StatusTag color={COLORS[name]} text={t(`log.type.${name}`)} />
}
