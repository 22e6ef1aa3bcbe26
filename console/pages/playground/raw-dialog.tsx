import { useTranslation } from 'react-i18next'
import { CodeTabs } from './code-tabs.tsx'
import type { RawExchange } from './raw-exchanges.ts'

interface Props {
  raw: RawExchange
  visible: boolean
  onClose: () => void
}

/** A dialog with the raw request and response of a reply. */
export function RawDialog({ raw, ...dialog }: Props) {
  const { t } = useTranslation()
  const tabs = [
    { name: t('playground.rawRequest'), code: raw.request },
    { name: t('playground.rawResponse'), code: raw.response },
  ]
  return <CodeTabs title={t('playground.raw')} tabs={tabs} {...dialog} />
}
