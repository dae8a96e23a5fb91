/* Built by make components from the folders beside this one: edit those. */
var find=(root,selector,kind)=>{let node=root.querySelector(selector);if(!(node instanceof(kind??HTMLElement)))throw new Error(
`No ${kind?.name??"node"} at ${selector}.`);return node};var SCALE=2,URL_MILLISECONDS=6e4,save=(blob,name)=>{let link=Object.assign(document.createElement("a"),{href:URL.createObjectURL(
blob),download:name});link.click(),setTimeout(()=>URL.revokeObjectURL(link.href),URL_MILLISECONDS)},savePng=(svg,name)=>{
let image=new Image,source=URL.createObjectURL(new Blob([svg],{type:"image/svg+xml"}));image.onload=()=>{let size={width:image.
naturalWidth*SCALE,height:image.naturalHeight*SCALE},canvas=Object.assign(document.createElement("canvas"),size);canvas.
getContext("2d")?.drawImage(image,0,0,size.width,size.height),URL.revokeObjectURL(source),canvas.toBlob(blob=>blob&&save(
blob,name),"image/png")},image.src=source},png_default=({data,parentElement})=>{find(parentElement,"button").onclick=()=>savePng(
data.svg,data.name)};export{png_default as default};
