import Modal from '@arco-design/web-react/es/Modal'
import Tabs from '@arco-design/web-react/es/Tabs'
import { CodeBlock } from '../../components/code-block.tsx'

interface Props {
  title: string
  tabs: readonly { name: string; code: string }[]
  visible: boolean
  onClose: () => void
}

/** A dialog with several code blocks, each in a tab. */
export function CodeTabs({ title, tabs, visible, onClose }: Props) {
  return (
    <Modal title={title} visible={visible} onCancel={onClose} footer={null} focusLock className="playground-dialog">
      <Tabs>
        {tabs.map(({ name, code }) => (
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
