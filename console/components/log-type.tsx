import { useTranslation } from 'react-i18next'
import { LOG_TYPE } from '../api/logs.ts'
import { StatusTag } from './status-tag.tsx'

const COLORS = { topup: 'green', consume: 'blue', manage: 'orange', system: 'cyan', error: 'red' } as const

export function LogType({ type }: { type: number }) {
  const { t } = useTranslation()
  const name = (Object.keys(COLORS) as (keyof typeof COLORS)[]).find((key) => LOG_TYPE[key] === type)
  return <StatusTag color={name ? COLORS[name] : 'gray'} text={t(`log.type.${name ?? 'unknown'}`)} />
}
