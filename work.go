package eigenmap

// WorkConfig is the file in a folder of finished stages that has the settings of the blocks of a
// graph. It is hidden, because a folder of stages holds nothing else.
const WorkConfig = ".graph.yaml"
