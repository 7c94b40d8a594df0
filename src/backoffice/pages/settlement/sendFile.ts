import type { Answers } from '../../app/answers.ts';
import { addressOf } from '../../app/api.ts';
import { problemOf, unreached } from '../../app/problem.ts';
import { watch } from '../../app/session.ts';

/** How far a file is: `null` when all of it has arrived and is being read. */
export type OnSent = (share: number | null) => void;

/** Sends a file. Only this old way of asking tells how much has left. */
export function upload(file: File, entityId: string, onSent: OnSent): Promise<Answers['bringSettlement']> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', addressOf('bringSettlement', { entityId, name: file.name.replace(/[/\\]/g, '-').slice(0, 200) }));
    request.setRequestHeader('X-Turnpike-Csrf', watch.csrf());
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(loaded < total ? loaded / total : null));
    request.addEventListener('error', () => reject(unreached()));
    request.addEventListener('load', () => {
      if (request.status === 200) {
        watch.seen();
        resolve(JSON.parse(request.responseText) as Answers['bringSettlement']);
        return;
      }
      if (request.status === 401) watch.lost();
      problemOf(new Response(request.responseText, { status: request.status })).then(reject, reject);
    });
    request.send(file);
  });
}
