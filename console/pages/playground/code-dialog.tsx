import Modal from '@arco-design/web-react/es/Modal'
import Tabs from '@arco-design/web-react/es/Tabs'
import { useTranslation } from 'react-i18next'
import type { ChatRequest } from '../../api/playground.ts'
import { useBaseAddress } from '../../components/base-address.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { codeFor } from './request-code.ts'

interface Props {
  request: ChatRequest
  visible: boolean
  onClose: () => void
}

/** Code that sends the conversation. */
export function CodeDialog({ request, visible, onClose }: Props) {
  const { t } = useTranslation()
  const address = useBaseAddress()
  return (
    <Modal
      title={t('playground.code')}
      visible={visible}
      onCancel={onClose}
      footer={null}
      focusLock
      className="playground-dialog"
    >
      <Tabs>
        {codeFor(request, address).map(({ name, code }) => (
          <Tabs.TabPane key={name} title={name}>
            <CodeBlock>
              <code>{code}</code>
            </CodeBlock>
          </Tabs.TabPane>
        ))}
      </Tabs>
    </Modal>
  )
}
