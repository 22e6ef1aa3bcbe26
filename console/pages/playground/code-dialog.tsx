import { useTranslation } from 'react-i18next'
import type { PlaygroundRequest } from '../../api/playground.ts'
import { useBaseAddress } from '../../components/base-address.ts'
import { CodeTabs } from './code-tabs.tsx'
import { codeFor } from './request-code.ts'

interface Props {
  request: PlaygroundRequest
  visible: boolean
  onClose: () => void
}

/** A dialog with code that sends the conversation as one request. */
export function CodeDialog({ request, ...dialog }: Props) {
  const { t } = useTranslation()
  return <CodeTabs title={t('playground.code')} tabs={codeFor(request, useBaseAddress())} {...dialog} />
}
