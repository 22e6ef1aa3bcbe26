import Modal from '@arco-design/web-react/es/Modal'
import { CodeTabs } from '../../components/code-tabs.tsx'

interface Props {
  title: string
  tabs: readonly { name: string; code: string }[]
  visible: boolean
  onClose: () => void
}

/** A dialog with several code blocks, each in a tab. */
export function CodeTabsDialog({ title, tabs, visible, onClose }: Props) {
  return (
    <Modal title={title} visible={visible} onCancel={onClose} footer={null} focusLock className="playground-dialog">
      <CodeTabs tabs={tabs} />
    </Modal>
  )
}
