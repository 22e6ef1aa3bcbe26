import { useTranslation } from 'react-i18next'
import { LOG_TYPE } from '../api/logs.ts'
import { StatusTag } from './status-tag.tsx'

export function LogType({ type }: { type: number }) {
  const { t } = useTranslation()
  switch (type) {
    case LOG_TYPE.topup:
      return <StatusTag color="green" text={t('log.type.topup')} />
    case LOG_TYPE.consume:
      return <StatusTag color="blue" text={t('log.type.consume')} />
    case LOG_TYPE.manage:
      return <StatusTag color="orange" text={t('log.type.manage')} />
    case LOG_TYPE.system:
      return <StatusTag color="cyan" text={t('log.type.system')} />
    case LOG_TYPE.error:
      return <StatusTag color="red" text={t('log.type.error')} />
    default:
      return <StatusTag color="gray" text={t('log.type.unknown')} />
  }
}
