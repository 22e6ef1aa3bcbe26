import Modal from '@arco-design/web-react/es/Modal'
import Tabs from '@arco-design/web-react/es/Tabs'
import { useTranslation } from 'react-i18next'
import { CodeBlock } from '../../components/code-block.tsx'
import type { RawExchange } from './raw-exchanges.ts'

interface Props {
  raw: RawExchange
  visible: boolean
  onClose: () => void
}

/** The raw request and response of a reply. */
export function RawDialog({ raw, visible, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Modal
      title={t('playground.raw')}
      visible={visible}
      onCancel={onClose}
      footer={null}
      focusLock
      className="playground-dialog"
    >
      <Tabs>
        <Tabs.TabPane key="request" title={t('playground.rawRequest')}>
          <CodeBlock>
            <code>{raw.request}</code>
          </CodeBlock>
        </Tabs.TabPane>
        <Tabs.TabPane key="response" title={t('playground.rawResponse')}>
          <CodeBlock>
            <code>{raw.response}</code>
          </CodeBlock>
        </Tabs.TabPane>
      </Tabs>
    </Modal>
  )
}
