import Badge from '@arco-design/web-react/es/Badge'
import { useTranslation } from 'react-i18next'
import { LOG_TYPE } from '../api/logs.ts'

/** The kind of a log row, as a badge. */
export function LogType({ type }: { type: number }) {
  const { t } = useTranslation()
  switch (type) {
    case LOG_TYPE.topup:
      return <Badge status="success" text={t('log.type.topup')} />
    case LOG_TYPE.consume:
      return <Badge status="processing" text={t('log.type.consume')} />
    case LOG_TYPE.manage:
      return <Badge status="warning" text={t('log.type.manage')} />
    case LOG_TYPE.system:
      return <Badge status="default" text={t('log.type.system')} />
    default:
      return <Badge status="default" text={t('log.type.unknown')} />
  }
}
