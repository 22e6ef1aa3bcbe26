import Button from '@arco-design/web-react/es/Button'
import { IconImage } from '@arco-design/web-react/icon'
import type { TFunction } from 'i18next'
import type { Drawing } from '../../api/drawings.ts'
import type { TableColumn } from '../../components/data-table/column.ts'
import { timeColumn } from '../../components/data-table/columns.tsx'
import { StatusTag } from '../../components/status-tag.tsx'
import { secondsBetween } from '../../components/task-list/duration.tsx'
import { LongText } from '../../components/task-list/long-text.tsx'
import { taskColumnsOf } from '../../components/task-list/task-columns.tsx'
import { actionBadge, codeBadge } from './drawing-badges.ts'

const secondsOf = ({ submit_time, finish_time }: Drawing) => secondsBetween(submit_time / 1000, finish_time / 1000)

export function drawingColumns(
  t: TFunction,
  allUsers: boolean,
  onOpen: (drawing: Drawing) => void,
): TableColumn<Drawing>[] {
  const { duration, channel, status, progress, failReason } = taskColumnsOf<Drawing>(t, { allUsers, secondsOf })
  return [
    timeColumn(
      { key: 'submit_time', width: 122, fixed: 'left', early: true, title: t('task.submitted') },
      (row) => row.submit_time / 1000,
    ),
    duration,
    ...channel,
    { key: 'action', width: 100, title: t('field.type'), value: ({ action }) => actionBadge(t, action).text },
    {
      key: 'mj_id',
      width: 150,
      title: t('task.id'),
      render: (drawing) => (
        <Button type="text" size="mini" className="long-text" onClick={() => onOpen(drawing)}>
          {drawing.mj_id || '–'}
        </Button>
      ),
      value: ({ mj_id }) => mj_id,
    },
    {
      key: 'code',
      width: 90,
      rank: 3,
      title: t('drawing.result'),
      render: ({ code }) => <StatusTag {...codeBadge(t, code)} />,
      value: ({ code }) => codeBadge(t, code).text,
    },
    status,
    { ...progress, width: 100 },
    {
      key: 'image_url',
      width: 100,
      early: true,
      title: t('drawing.image'),
      render: (drawing) =>
        drawing.image_url === '' ? (
          t('field.none')
        ) : (
          <Button size="mini" icon={<IconImage />} onClick={() => onOpen(drawing)}>
            {t('drawing.showImage')}
          </Button>
        ),
      value: ({ image_url }) => image_url,
    },
    { ...failReason, width: 110 },
    {
      key: 'prompt',
      width: 110,
      grow: true,
      rank: 4,
      title: t('drawing.prompt'),
      render: ({ prompt }) => <LongText title={t('drawing.prompt')} text={prompt} />,
      value: ({ prompt }) => prompt,
    },
    {
      key: 'prompt_en',
      title: t('drawing.promptEn'),
      hidden: true,
      render: ({ prompt_en }) => <LongText title={t('drawing.promptEn')} text={prompt_en} />,
      value: ({ prompt_en }) => prompt_en,
    },
  ]
}
