import type { CoverageRow } from './row.ts'

const DRAWER = 'tests/console/browser/channel-drawer.test.ts'
const TAG = 'tests/console/browser/tag-drawer.test.ts'
const missing = `${DRAWER} › a new channel › names missing fields, and sends nothing`
const whole = `${DRAWER} › a new channel › has all entered values, in every section`
const words = `${DRAWER} › a new channel › of $search uses the credential labels of its provider`
const tasks = `${DRAWER} › a new channel › of a task kind has its actions, and the models follow the type until edited`
const json = `${DRAWER} › a new channel › reports invalid JSON, and opens the section with the error`
const twice = `${DRAWER} › a new channel › keeps the input if the server rejects it, and is sent once if submitted twice`
const batch = `${DRAWER} › a new channel › is created for each line of a batch, or has all of them as keys`
const byHand = `${DRAWER} › the models of a channel › can be filled from presets, copied, cleared, and added by name`
const fetched = `${DRAWER} › the models of a channel › are fetched from the upstream and selected`
const notFetched = `${DRAWER} › the models of a channel › that cannot be fetched show the reason`
const edit = `${DRAWER} › the edit of a channel › saves only changed fields, and never shows the key`
const keys = `${DRAWER} › the edit of a channel › replaces a key, and keeps key settings apart from the other settings`
const gone = `${DRAWER} › the edit of a channel › of an unknown channel says so`
const refused = `${TAG} › the drawer of a tag › rejects invalid numbers and JSON, and reports if nothing was changed`
const changed = `${TAG} › the drawer of a tag › changes the filled-in fields of each of its channels, and nothing else`
const renamed = `${TAG} › the drawer of a tag › writes another name, models, groups and a mapping; an empty name removes the tag`

export const rows: CoverageRow[] = [
  { spec: 'B §2', line: 'Route /channel/add: the drawer with the form for a new channel', test: whole },
  { spec: 'B §2', line: 'Route /channel/edit/{id}: the drawer with the form to edit a channel', test: edit },
  { spec: 'B §2', line: 'Channel drawer: create form; success 渠道创建成功！', test: words },
  { spec: 'B §2', line: 'Channel drawer: edit form; success 渠道更新成功！', test: edit },
  { spec: 'B §2', line: 'Tag dialog: edit tag-level fields', test: changed },
  { spec: 'B §3', line: 'Channel: name, type (numeric provider kind)', test: words },
  { spec: 'B §3', line: 'Channel: key, multi-line in batch create, one key per line', test: batch },
  { spec: 'B §3', line: 'Channel: several keys of one channel', test: keys },
  { spec: 'B §3', line: 'Channel: base_url, with the prompt of its provider', test: words },
  { spec: 'B §3', line: 'Channel: other, with the prompt of its provider', test: words },
  { spec: 'B §3', line: 'Channel: group, a list in the form and comma text on the wire', test: whole },
  { spec: 'B §3', line: 'Channel: models, a list in the form and comma text on the wire', test: whole },
  { spec: 'B §3', line: 'Channel: model_mapping (JSON text)', test: whole },
  { spec: 'B §3', line: 'Channel: tag, priority, weight', test: whole },
  { spec: 'B §3', line: 'Channel: setting (JSON text)', test: whole },
  { spec: 'B §3', line: 'Channel: openai_organization, test_model, auto_ban', test: whole },
  { spec: 'B §3', line: 'Channel: status_code_mapping (JSON text)', test: whole },
  { spec: 'B §5', line: 'Channel form: type, name, key, groups and models are required', test: missing },
  { spec: 'B §5', line: 'In batch mode the key is one per line', test: batch },
  { spec: 'B §5', line: 'priority and weight are parsed to integers', test: whole },
  { spec: 'B §5', line: 'A custom model that exists: 某些模型已存在！', test: byHand },
  { spec: 'B §5', line: 'Custom model names may be comma-separated', test: byHand },
  { spec: 'B §5', line: 'model_mapping and status_code_mapping are JSON text', test: json },
  { spec: 'B §5', line: 'Tag editor: 模型映射必须是合法的 JSON 格式！', test: refused },
  { spec: 'B §5', line: 'Tag edit with no change: 没有任何修改！', test: refused },
  { spec: 'B §5', line: 'Tag-level priority: 优先级必须是整数！', test: refused },
  { spec: 'B §5', line: 'Tag-level weight: 权重必须是非负整数！', test: refused },
  { spec: 'B §7', line: 'GET /api/group/: names of the groups to choose from', test: renamed },
  { spec: 'B §7', line: 'POST /api/channel/: channel payload', test: whole },
  { spec: 'B §7', line: 'PUT /api/channel/: id plus what changed', test: edit },
  { spec: 'B §7', line: 'PUT /api/channel/tag: tag, new_tag, models, groups, model_mapping', test: renamed },
  { spec: 'B §7', line: 'PUT /api/channel/tag: priority and weight; only what changed is sent', test: changed },
  { spec: 'B §7', line: 'GET /api/channel/models: the names that 填入所有模型 fills in', test: byHand },
  { spec: 'B §8', line: 'A refusal of the server is shown as an error toast, and nothing typed is lost', test: twice },
  { spec: 'B §8', line: 'A channel that does not exist', test: gone },
  { spec: 'B §9', line: 'Fixed models of Midjourney-type and Suno-type channels', test: tasks },
  { spec: 'A §8', line: 'Model list fetch failure: 获取模型列表失败', test: notFetched },
  { spec: 'A §8', line: 'Form validation failures: 请检查输入', test: missing },
  { spec: 'A §8', line: 'Submitted again before it was done: 提交失败，请勿重复提交！', test: twice },
  { spec: 'B §5', line: 'Models fetched from the upstream are chosen in a picker', test: fetched },
]
