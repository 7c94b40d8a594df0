/**
 * Ends this process in order when the one that supervises it is gone. scripts/run.mjs forwards signals, but cannot forward SIGKILL: its end
 * closes the channel between both, which the system does for every process however it ends. Without a channel there is no supervisor.
 */
export function endWithSupervisor(): void {
  if (process.connected === undefined) return;
  const end = () => process.kill(process.pid, 'SIGTERM');
  if (!process.connected) return void end();
  process.once('disconnect', end);
  // A command that has finished does not wait for its supervisor.
  process.channel?.unref();
}
