import Alert from '@arco-design/web-react/es/Alert'
import Descriptions from '@arco-design/web-react/es/Descriptions'
import Modal from '@arco-design/web-react/es/Modal'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Drawing } from '../../api/drawings.ts'
import { useStatus } from '../../api/status.ts'
import { DateTime } from '../../components/date-time.tsx'
import { isOtherOrigin } from '../../components/markdown-image.ts'
import { RemoteImage } from '../../components/remote-image.tsx'
import { StatusTag } from '../../components/status-tag.tsx'
import { TaskStatus } from '../../components/task-list/task-status.tsx'
import '../../components/task-list/task-list.css'
import { actionBadge, codeBadge } from './drawing-badges.ts'
import { pictureAddress } from './picture.ts'

/** A dialog with the image and all texts of a drawing. */
export function DrawingDetails({ drawing, onClose }: { drawing: Drawing | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal
      visible={drawing !== undefined}
      title={t('task.details')}
      footer={null}
      onCancel={onClose}
      unmountOnExit
      className="task-details"
    >
      {drawing && (
        <>
          <Picture drawing={drawing} />
          <Descriptions column={1} data={rows(drawing)} />
        </>
      )}
    </Modal>
  )

  function rows({ mj_id, action, code, status, submit_time, finish_time, prompt, prompt_en, fail_reason }: Drawing) {
    const texts = [
      { label: t('drawing.prompt'), value: prompt },
      { label: t('drawing.promptEn'), value: prompt_en },
      { label: t('task.failReason'), value: fail_reason },
    ].filter(({ value }) => value !== '')
    return [
      { label: t('task.id'), value: mj_id },
      { label: t('field.type'), value: <StatusTag {...actionBadge(t, action)} /> },
      { label: t('drawing.result'), value: <StatusTag {...codeBadge(t, code)} /> },
      { label: t('task.status'), value: <TaskStatus status={status} /> },
      { label: t('task.submitted'), value: <DateTime seconds={submit_time / 1000} /> },
      { label: t('task.finished'), value: finish_time > 0 ? <DateTime seconds={finish_time / 1000} /> : '–' },
      ...texts.map(({ label, value }) => ({ label, value: <div className="long-text-whole">{value}</div> })),
    ]
  }
}

function Picture({ drawing: { mj_id, image_url } }: { drawing: Drawing }) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const [hasFailed, setHasFailed] = useState(false)
  if (image_url === '') return null
  const address = pictureAddress(image_url, location.href, status?.server_address ?? '')
  if (!address) {
    return (
      <p>
        {t('drawing.notShown')} <code className="long-text-whole">{image_url}</code>
      </p>
    )
  }
  return (
    <>
      {isOtherOrigin(address) ? (
        <RemoteImage className="task-image" src={address} alt={t('drawing.imageOf', { id: mj_id })} />
      ) : hasFailed ? (
        <Alert type="warning" content={t('drawing.imageFailed')} />
      ) : (
        <img
          className="task-image"
          src={address}
          alt={t('drawing.imageOf', { id: mj_id })}
          referrerPolicy="no-referrer"
          onError={() => setHasFailed(true)}
        />
      )}
      <p>
        <a href={address} target="_blank" rel="noopener noreferrer">
          {t('drawing.original')}
        </a>
      </p>
    </>
  )
}
