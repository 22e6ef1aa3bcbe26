import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import Modal from '@arco-design/web-react/es/Modal'
import { IconCopy, IconDownload } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { useCopy } from '../../components/copy.tsx'
import { FrozenWhileClosed } from '../../components/form/frozen-while-closed.tsx'
import { saveFile } from '../../components/save-file.ts'
import type { CreatedCodes } from './redemption-drawer.tsx'

/** A dialog with newly created codes, which the user can copy or save as a text file. */
export function NewCodesDialog({ batch, onClose }: { batch: CreatedCodes | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  const copy = useCopy()
  const text = batch?.codes.join('\n') ?? ''

  function download() {
    if (batch) saveFile(`${batch.name}.txt`, `${text}\n`)
    onClose()
  }

  return (
    <Modal
      title={t('redemption.made')}
      visible={batch !== undefined}
      onCancel={onClose}
      focusLock
      autoFocus
      footer={
        <>
          <Button onClick={onClose}>{t('action.close')}</Button>
          <Button icon={<IconCopy />} onClick={() => void copy(text)}>
            {t('redemption.copyAll')}
          </Button>
          <Button type="primary" icon={<IconDownload />} onClick={download}>
            {t('redemption.download')}
          </Button>
        </>
      }
    >
      <p className="panel-note">{t('redemption.downloadQuestion')}</p>
      <FrozenWhileClosed open={batch !== undefined}>
        <Input.TextArea
          readOnly
          value={text}
          aria-label={t('redemption.codes', { count: batch?.codes.length ?? 0 })}
          autoSize={{ minRows: 2, maxRows: 10 }}
          style={{ marginTop: 12 }}
        />
      </FrozenWhileClosed>
    </Modal>
  )
}
